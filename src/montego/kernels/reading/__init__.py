"""Reading ahead: ladders and captures, bad self-ataris, life and death, vital points."""
