"""KataGo's analysis protocol: queries as JSON lines, many positions at a time."""
