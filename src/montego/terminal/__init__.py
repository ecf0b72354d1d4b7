"""The game in the terminal: ``montego play``.

``session`` starts games and keeps one after the other; ``game`` is one of them, ``ending`` what
comes after it.  All of them print to a console and read lines: everything works without a
terminal too, where the board is drawn without colours.
"""
