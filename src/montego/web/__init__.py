"""The board in the browser: ``montego web``.

``app`` answers the browser, ``lobby`` keeps the games, ``table`` is one of them: its record, its
players and whoever looks on.  Thinking is done elsewhere: ``pool`` hands every search to one of a
few processes (``worker``), each with an Engine.  A process that dies is replaced, and its work
done again; a game loses nothing, for all that it is stands in its table.

``messages`` are what page and server say to each other.  The page's sources are in /web, and what
is built of them in ``page``.
"""
