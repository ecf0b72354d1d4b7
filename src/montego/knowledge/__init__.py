"""What the program knows about good moves beyond the rules: patterns, and strengths learned from games."""
