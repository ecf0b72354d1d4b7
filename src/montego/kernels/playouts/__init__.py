"""Playouts: how the moves of a simulation are chosen, one file for each family."""
