"""``python -m montego`` is the same as ``montego``."""

from montego.cli import main

if __name__ == "__main__":
    main()
