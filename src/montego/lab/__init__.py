"""The laboratory: players, matches that survive anything, and what their results mean."""
