"""Opening books: games that were played, and what they say about the moves of a position."""
