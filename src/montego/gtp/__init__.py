"""The Go Text Protocol, version 2: the protocol, a table of commands, a session."""
