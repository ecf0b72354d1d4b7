"""The engine: one game and all that playing it takes, from the clock to resigning."""
