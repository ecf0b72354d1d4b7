"""Compiled kernels: arrays, records and scalars, no Python objects.

Reading order: jit (how things are compiled) and cache (where they are kept), shape and liberties
(two codes), board (the record and its moves), then tactics, pattern and the playouts.
"""
