"""Matches: players, a referee, games, the record of a match, and ratings."""
