"""Compiled kernels: arrays, records and scalars, no Python objects.

Sub-rooms, each importing only from those before it: compiler (how functions become machine code
and where that is kept), board, reading (ladders, life), features (what a move does and looks
like), playouts, net (a neural network), tree.

The records that kernels work on are single capital letters.  Each has one meaning everywhere;
they come first among the arguments, in the order of this table, and what is small comes after.
"""

LETTERS = {
    "B": "BOARD: the position (board/board)",
    "R": "STRATEGY: the recipe of a search as numbers (tree/strategy)",
    "S": "TREE: what the nodes of a tree have in common (tree/tree)",
    "N": "NODE: the nodes of a tree, an array (tree/tree)",
    "F": "FOREIGN: what other machines have told of a tree's nodes, a table (tree/sharing)",
    "P": "POLICY: how a playout chooses its moves (playouts/policy)",
    "T": "TABLES: what has been learned of shapes and features (features/tables)",
    "E": "NETWORK: the weights of a convolutional network, and where its layers lie (net/network)",
    "W": "WORK: scratch space and random numbers of a thread (playouts/policy)",
    "X": "READING: the stack of a reader of ladders and captures (reading/reading)",
    "L": "LIFE: the stack of a reader of life and death (reading/life)",
    "V": "LEARNER: the vectors that are being learned (features/learning)",
}
"""The letters of the kernels, in the order of arguments."""
