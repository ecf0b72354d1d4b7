"""Wisdom: the best plans that searches have found, by machine, kept between runs.

It is one JSON file, ``dft-wisdom.json``, next to the compiled code.  Entries belong to a machine,
that is a processor and its features: what is fastest here need not be fastest elsewhere.

To change the file, a process locks it, reads it again and adds what is new, so several processes
may search at the same time.  The file is replaced atomically.

A file that cannot be read or written is no error: the user is told, and plans serve this process.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from montego.dft.plans import DftError, Word, parse
from montego.kernels.compiler.cache import alone, cache_root
from montego.kernels.compiler.first_use import MAKING
from montego.kernels.compiler.native import processor
from montego.kernels.compiler.notices import not_kept, obstacle, reason, say, say_not_kept
from montego.kernels.compiler.vector import widest

FORMAT = "montego dft wisdom 1"
KEPT = "plans of transforms"
Machines = dict[str, dict[str, Any]]
"""By machine, and by size and precision: plan and seconds."""
_known: Machines | None = None


def machine() -> str:
    """An identifier of this kind of machine, as code is compiled for it."""
    text = (
        f"{processor()} {os.environ.get('NUMBA_CPU_NAME')} {os.environ.get('NUMBA_CPU_FEATURES')}"
    )
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def path() -> Path:
    """Where wisdom is kept."""
    return cache_root() / "dft-wisdom.json"


def _all() -> Machines:
    global _known
    with MAKING:
        if _known is None:
            try:
                _known = _read(path()) if os.path.exists(path()) else {}
            except DftError as error:
                say(f"{error}: its plans are not used")
                _known = {}
        return _known


def _read(file: Path) -> Machines:
    """The plans in a file; raises a DftError that names a file without valid wisdom."""
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        if content["format"] != FORMAT:
            raise ValueError
        machines: Machines = content["machines"]
        for entries in machines.values():
            for key, entry in entries.items():
                n, precision = key.split()
                if parse(entry["plan"]).n != int(n) or not 0 < float(entry["seconds"]) < math.inf:
                    raise ValueError
                widest(precision)
    except OSError as error:
        raise DftError(f"{file}: {reason(error)}") from None
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError):
        raise DftError(f"{file} holds no wisdom, or is damaged") from None
    return machines


def _key(n: int, precision: str) -> str:
    return f"{n} {precision}"


def best(n: int, precision: str = "double") -> Word | None:
    """The best known plan for this machine, if any."""
    entry = _all().get(machine(), {}).get(_key(n, precision))
    if entry is None:
        return None
    plan = parse(entry["plan"])
    return tuple(entry["plan"]) if plan.width <= widest(precision) else None


def learn(n: int, precision: str, word: Word, seconds: float) -> None:
    """Keep the result of a search; it replaces an earlier one."""
    with _changed() as known:
        known.setdefault(machine(), {})[_key(n, precision)] = {
            "plan": list(word), "seconds": seconds,
        }  # fmt: skip


@contextmanager
def _changed() -> Iterator[Machines]:
    """All wisdom, to be changed and then written; includes what other processes have added."""
    with suppress(OSError):
        path().parent.mkdir(parents=True, exist_ok=True)
    with MAKING, alone(path(), waiting=None):
        known = _all()
        _merge_file(known)
        yield known
        _keep(known)


def _merge_file(known: Machines) -> None:
    """Add the file's entries; they override ours, which could not be written."""
    with suppress(DftError):
        for name, entries in (_read(path()) if os.path.exists(path()) else {}).items():
            known.setdefault(name, {}).update(entries)


def _keep(known: Machines) -> None:
    """Write wisdom; a damaged file is renamed, not lost."""
    file = path()
    try:
        if file.is_file() and not _is_wisdom(file):
            os.replace(file, file.with_suffix(".damaged"))
        _write(file, known)
    except OSError as error:
        say_not_kept(KEPT, file, reason(error))


def check(file: Path) -> None:
    """Raise a DftError for a file that cannot be imported."""
    _read(file)


def check_place() -> None:
    """Raise a DftError if nothing can be kept here."""
    why = obstacle(path().parent)
    if why is not None:
        raise DftError(not_kept(KEPT, path(), why))


def _is_wisdom(file: Path) -> bool:
    try:
        check(file)
    except DftError:
        return False
    return True


def _write(file: Path, machines: Machines) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"format": FORMAT, "machines": machines}, indent=1) + "\n"
    with tempfile.NamedTemporaryFile("w", dir=file.parent, delete=False, encoding="utf-8") as new:
        try:
            new.write(text)
            new.close()
            os.replace(new.name, file)
        except OSError:
            os.unlink(new.name)
            raise


def entries() -> dict[str, Any]:
    """Wisdom for this machine: plan and seconds by size and precision."""
    return dict(_all().get(machine(), {}))


def export_wisdom(file: str | Path) -> int:
    """Write all wisdom to a file; returns the number of plans."""
    known = _all()
    _write(Path(file), known)
    return sum(map(len, known.values()))


def add_file(file: str | Path, foreign: bool) -> int:
    """Add the plans of a file where none is known; returns how many are new for this machine."""
    read = _read(Path(file))
    if foreign:
        mine = read.setdefault(machine(), {})
        for entries in list(read.values()):
            for key, entry in entries.items():
                if parse(entry["plan"]).width <= widest(key.split()[1]):
                    mine.setdefault(key, entry)
    with _changed() as known:
        before = len(known.get(machine(), {}))
        for name, entries in read.items():
            known[name] = entries | known.get(name, {})
        after = len(known.get(machine(), {}))
    return after - before


def forget_all() -> None:
    """Forget all wisdom for this machine."""
    with _changed() as known:
        known.pop(machine(), None)
