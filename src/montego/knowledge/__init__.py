"""What the program knows about good moves: patterns, and strengths learned from games."""
