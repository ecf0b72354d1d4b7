"""The board: points, chains and liberties, moves and their legality, captures, scoring."""
