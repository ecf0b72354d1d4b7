"""The board in the browser: ``montego web``.

``app`` answers the browser, ``lobby`` keeps the games, ``table`` is one of them: its record, its
players and whoever looks on; ``acts`` is what they can ask for.  Thinking is done elsewhere:
``pool`` hands every search to one of a few processes (``worker``), each with an Engine.  A process
that dies is replaced, and its work done again; a game loses nothing, for all that it is stands in
its table.

``inside``, ``known`` and ``playing_out`` show a search from within.  ``laboratory`` shows the
matches and experiments of a folder, ``library`` a book.  ``messages`` are what page and server say
to each other.  The page's sources are in /web, and what is built of them in ``page``.
"""
