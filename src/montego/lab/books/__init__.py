"""Books made by playing: grown, by long thinking, and shown."""
