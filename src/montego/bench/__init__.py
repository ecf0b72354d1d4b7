"""How fast the program is: ``montego bench``."""
