"""The forward pass of a convolutional network that sees a whole board.

Reading order: layout (where numbers lie), winograd (how a convolution is split), network (its
weights, packed), convolution and heads (the machine code of the inner loops), forward (all layers).
"""
