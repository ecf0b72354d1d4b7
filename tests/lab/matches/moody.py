"""A GTP program for tests that behaves badly on demand: python moody.py BEHAVIOUR...

It passes.  With several behaviours, the random seed of the game chooses one.
"""

import os
import subprocess
import sys
import threading
import time

BEHAVIOURS = sys.argv[1:]


def misbehave(behaviour: str) -> str:
    """The reply to genmove, if there is one at all."""
    if behaviour == "hang":
        time.sleep(3600)
    if behaviour == "crash":
        sys.stderr.write("out of luck\n")
        sys.stderr.flush()
        os._exit(3)
    if behaviour == "flood":
        while True:
            print("= D4", flush=True)
    if behaviour == "stream":
        while True:
            os.write(1, b"x" * 65_536)
    if behaviour == "blank":
        while True:
            os.write(1, b"\n" * 65_536)
    if behaviour == "orphan":  # its helper holds the outputs open, in a session of its own
        helper = [sys.executable, "-S", "-c", "import time; time.sleep(1000)"]
        subprocess.Popen(helper, start_new_session=True)
        os._exit(3)
    return {
        "good": "= pass",
        "resign": "= resign",
        "illegal": "= A1",
        "off-board": "= T19",
        "word": "= castle",
        "nonsense": "hello there",
        "error": "? cannot think",
        "silent": "",
        "chatty": "= pass\n\n= pass\n\nby the way",
    }[behaviour]


def chatter() -> None:
    while True:
        os.write(1, b"= D4\n" * 10_000)


def main() -> None:
    seed = 0
    if "chatter" in BEHAVIOURS:
        threading.Thread(target=chatter, daemon=True).start()
    if "deaf" in BEHAVIOURS:
        time.sleep(1000)
    for line in sys.stdin:
        words = line.split()
        reply = "="
        if words[0] == "list_commands":
            reply = "= genmove\nset_random_seed\nplay"
        elif words[0] == "set_random_seed":
            seed = int(words[1])
        elif words[0] == "genmove":
            reply = misbehave(BEHAVIOURS[seed % len(BEHAVIOURS)])
        elif words[0] == "play" and "stubborn" in BEHAVIOURS:
            reply = "? illegal move"
        print(f"{reply}\n", flush=True)
        if words[0] == "quit":
            return


main()
