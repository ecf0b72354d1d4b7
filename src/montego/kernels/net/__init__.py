"""The forward pass of a convolutional network that sees a whole board.

Reading order: layout (where numbers lie), network (its weights, packed), convolution (the machine
code of the inner loop), forward (all layers).
"""
