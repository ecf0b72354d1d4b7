"""What a move does and looks like: features and patterns, and their learned strengths."""
