"""Mistakes as users meet them: one line that names what is wrong, exit code 2, nothing lost.

Each row is a command and what its line has to say.  All of them run in a folder that holds the
files of ``WRONG``: missing, empty, damaged, of another kind, or a folder in place of a file.
"""

from __future__ import annotations

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from montego import cli
from montego.dft import wisdom

GAME = "(;GM[1]SZ[9]KM[7.5];B[ee];W[cc];B[gg];W[cg];B[gc];W[ec];B[eg];W[ge];B[ce];W[dd];B[ff])"
MODULE = """
from montego.planning import Grammar

graph = Grammar({"S": [["a"], ["b"]]}, "S")

def value(word):
    return 1.0
"""


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of files that are not what they should be, and a few that are."""
    folder = tmp_path_factory.mktemp("wrong")
    (folder / "folder.sgf").mkdir()
    texts = {
        "good.sgf": GAME,
        "empty.sgf": "",
        "damaged.sgf": "(;GM[1]",
        "illegal.sgf": "(;SZ[9];B[ee];W[ee])",
        "notes.txt": "hello",
        "not.sgf.gz": "hello",
        "empty.npz": "",
        "junk.npz": "PK\3\4junk",
        "half.json": "{",
        "empty.json": "",
        "text.sqlite": "hello",
        "own_problem.py": MODULE,
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="latin-1")
    (folder / "cut.sgf.gz").write_bytes(gzip.compress(GAME.encode() * 9)[:-9])
    np.savez(folder / "others.npz", a=np.zeros(3))
    np.savez(folder / "half.npz", ratios=np.zeros(3))
    np.save(folder / "array.npy", np.zeros(3))
    with closing(sqlite3.connect(folder / "foreign.sqlite")) as base, base:
        base.execute("CREATE TABLE t (x)")
    with closing(sqlite3.connect(folder / "half.sqlite")) as base, base:
        base.executescript(
            "CREATE TABLE study (key, value); INSERT INTO study VALUES ('version', '3');"
            "CREATE TABLE log (number, kind, tail, head, trial); CREATE TABLE trials (number);"
        )
    return folder


NOWHERE = "/dev/null/below"
LEARN = "learn good.sgf --size 9 --out new.npz"
EXAMINE = "examine good.sgf --size 9"
OPTIMISE = "optimise own_problem:graph --objective own_problem:value --evaluations 1"

MISTAKES = {
    # --- explain
    "explain none.sgf 1": "none.sgf: No such file",
    "explain folder.sgf 1": "folder.sgf: Is a directory",
    "explain empty.sgf 1": "empty.sgf: not a readable game record",
    "explain damaged.sgf 1": "damaged.sgf: not a readable game record",
    "explain illegal.sgf 1": "illegal.sgf: move 2 is illegal",
    "explain notes.txt 1": "notes.txt: not a readable game record",
    "explain good.sgf 12": "good.sgf has only 11 moves",
    "explain good.sgf 0": "'move': 0",
    "explain good.sgf first": "'move': 'first'",
    "explain good.sgf": "'move'",
    "explain good.sgf 1 --top 0": "'--top': 0",
    "explain good.sgf 1 --recipe soup": "'--recipe': 'soup'",
    # --- learn
    "learn none.sgf --out new.npz": "no file none.sgf",
    "learn folder.sgf --out new.npz": "folder.sgf is a folder",
    "learn empty.sgf --out new.npz": "in empty.sgf: 1 not a readable",
    "learn damaged.sgf --out new.npz": "in damaged.sgf: 1 not a readable",
    "learn illegal.sgf --out new.npz": "in illegal.sgf: 1 move 2 is illegal",
    "learn notes.txt --out new.npz": "notes.txt is none of .sgf",
    "learn not.sgf.gz --out new.npz": "not.sgf.gz is not compressed, or is damaged",
    "learn cut.sgf.gz --out new.npz": "cut.sgf.gz is not compressed, or is damaged",
    "learn good.sgf --out new.npz": "in good.sgf: 1 played on 9x9",
    "learn good.sgf": "'--out'",
    f"{LEARN} --held-out 2": "'--held-out': 2.0",
    f"{LEARN} --held-out 0.9": "all are held out",
    f"{LEARN} --passes 0": "'--passes': 0",
    f"{LEARN} --most few": "'--most': 'few'",
    f"{LEARN} --least-played 0": "'--least-played': 0",
    f"{LEARN} --seed x": "'--seed': 'x'",
    f"{LEARN} --size 40": "'--size': 40",
    f"{LEARN} --out folder.sgf": "'--out': folder.sgf: Is a directory",
    f"{LEARN} --out {NOWHERE}": f"'--out': {NOWHERE}: Not a directory",
    f"{LEARN} --out none/new.npz": "'--out': none/new.npz: No such file",
    # --- examine
    "examine none.sgf": "no file none.sgf",
    "examine folder.sgf": "folder.sgf is a folder",
    "examine notes.txt": "notes.txt is none of .sgf",
    f"{EXAMINE} --strengths none.npz": "no file none.npz",
    f"{EXAMINE} --strengths folder.sgf": "folder.sgf is a folder",
    f"{EXAMINE} --strengths empty.npz": "empty.npz is no file of strengths",
    f"{EXAMINE} --strengths junk.npz": "junk.npz is no file of strengths",
    f"{EXAMINE} --strengths array.npy": "array.npy is no file of strengths",
    f"{EXAMINE} --strengths notes.txt": "notes.txt is no file of strengths",
    f"{EXAMINE} --strengths others.npz": "others.npz was learned for other features",
    f"{EXAMINE} --strengths half.npz": "half.npz was learned for other features",
    f"{EXAMINE} --figure a.xyz": "'--figure': a.xyz is none of .png",
    f"{EXAMINE} --figure {NOWHERE}.svg": f"'--figure': {NOWHERE}.svg: Not a directory",
    f"{EXAMINE} --size 1": "'--size': 1",
    f"{EXAMINE} --most 0": "'--most': 0",
    # --- optimise
    "optimise own_problem:graph": "'--objective'",
    "optimise none:g --objective own_problem:value": "no module 'none'",
    "optimise own_problem --objective own_problem:value": "'own_problem' is not module:name",
    "optimise own_problem:none --objective own_problem:value": "own_problem has no 'none'",
    "optimise own_problem:graph --objective own_problem:none": "own_problem has no 'none'",
    f"{OPTIMISE} --out folder.sgf": "'--out': folder.sgf: Is a directory",
    f"{OPTIMISE} --out {NOWHERE}": f"'--out': {NOWHERE}: Not a directory",
    f"{OPTIMISE} --out none/a.sqlite": "'--out': none/a.sqlite: No such file",
    f"{OPTIMISE} --out text.sqlite": "text.sqlite is not a study",
    f"{OPTIMISE} --out foreign.sqlite": "foreign.sqlite is not a study",
    f"{OPTIMISE} --out half.sqlite": "half.sqlite is another study",
    f"{OPTIMISE} --plot a.xyz": "'--plot': a.xyz is none of .png",
    f"{OPTIMISE} --plot {NOWHERE}.svg": f"'--plot': {NOWHERE}.svg: Not a directory",
    f"{OPTIMISE} --seconds 0": "'--seconds': 0",
    f"{OPTIMISE} --seconds inf": "'--seconds': inf",
    f"{OPTIMISE} --timeout nan": "'--timeout': nan",
    f"{OPTIMISE} --timeout soon": "'--timeout': 'soon'",
    f"{OPTIMISE} --evaluations 0": "'--evaluations': 0",
    f"{OPTIMISE} --workers 0": "'--workers': 0",
    f"{OPTIMISE} --seed -1": "'--seed': -1",
    # --- dft
    "dft plan 0": "not 0",
    "dft plan 1": "1 number needs no plan",
    "dft plan 14": "not 14",
    "dft plan much": "'much'",
    "dft plan 2^40": "1,099,511,627,776",
    "dft plan 8 --search luck": "not 'luck'",
    "dft plan 8 --seconds nan": "'--seconds': nan",
    "dft plan 8 --seconds inf": "'--seconds': inf",
    "dft plan 8 --seed -1": "'--seed': -1",
    "dft bench --sizes x": "'x'",
    "dft bench --sizes 8,,16": "'--sizes': '8,,16'",
    "dft bench --sizes 64-8": "'--sizes': 64-8",
    "dft bench --sizes 0-8": "'--sizes': 0-8",
    "dft bench --sizes 14": "not 14",
    "dft bench --seconds 0": "'--seconds': 0",
    "dft bench --libraries mkl": "not mkl",
    "dft bench --libraries numpy,": "'--libraries': 'numpy,'",
    "dft wisdom --import none.json": "none.json: No such file",
    "dft wisdom --import folder.sgf": "folder.sgf: Is a directory",
    "dft wisdom --import half.json": "half.json holds no wisdom, or is damaged",
    "dft wisdom --import empty.json": "empty.json holds no wisdom, or is damaged",
    "dft wisdom --import junk.npz": "junk.npz holds no wisdom, or is damaged",
    "dft wisdom --export folder.sgf": "'--export': folder.sgf: Is a directory",
    f"dft wisdom --export {NOWHERE}": f"'--export': {NOWHERE}: Not a directory",
    "dft sing": "'sing'",
    # --- bench, play, gtp; see test_commands.py for more
    "bench --json folder.sgf": "'--json': folder.sgf: Is a directory",
    f"bench --json {NOWHERE}": f"'--json': {NOWHERE}: Not a directory",
    "play --handicap 900": "'--handicap'",
    "play --komi much": "'--komi': 'much'",
    "gtp --memory 0": "'--memory': 0",
    "gtp --seconds nan": "'--seconds': nan",
    "gtp selection.c=x": "'x' is not a value for selection.c",
}


@pytest.mark.parametrize("command", MISTAKES)
def test_a_mistake_is_one_line_that_names_it(
    command: str,
    wrong: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(wrong)
    monkeypatch.setattr(wisdom, "path", lambda: tmp_path / "wisdom.json")
    before = sorted(path.name for path in wrong.iterdir())
    with pytest.raises(SystemExit) as left:
        cli.main(command.split(" "))
    out, said = capsys.readouterr()
    assert (left.value.code, out) == (2, "")
    assert said.startswith("montego: ")
    assert said.count("\n") == 1
    assert MISTAKES[command] in said
    assert sorted(path.name for path in wrong.iterdir() if path.name != "__pycache__") == [
        name for name in before if name != "__pycache__"
    ]
