"""Montego: the family of Monte-Carlo tree search for Go, and the laboratory round it."""

__version__ = "0.1.0"
