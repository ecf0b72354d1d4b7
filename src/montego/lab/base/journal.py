"""A folder of lines that are only ever appended to; the first one says what decides the others.

    {"game": 0, "kind": "match", "first": "uct", …}      going on with anything else is refused
    {"game": 1, "winner": "first", …}

The first line is there before any other is, and a line counts once its end is written.

In records of an earlier version a file of its own, ``match.json`` say, says what decides the lines.
They are read as well.  The file becomes the first line when the record is resumed, or by
``montego convert-records``; it goes once that line is there, so where both are, either will do.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

from montego import files
from montego.lab.base.errors import RecordError, cannot_go_on
from montego.lab.base.lock import Lock, open_file

Line = dict[str, Any]
"""The record of one game, or of one measurement."""
MOST_BYTES = 1 << 30
"""Of a file of lines: a million games."""


class Content(NamedTuple):
    """What a file of lines holds."""

    head: Line | None
    """The first line, where it is the one that says what decides the others."""
    lines: list[Line]
    text: bytes
    """All of it, without a torn last line."""


class Journal:
    """A folder of lines, opened by the one process that works.

    The subclasses name the file, the number that no two lines may share, and what they are of.
    """

    KIND: ClassVar[str]
    LINES: ClassVar[str]
    KEY: ClassVar[str]

    def __init__(self, folder: Path, config: Mapping[str, object]) -> None:
        self.folder = folder
        self.path = folder / self.LINES
        self._file = -1
        self._opened = ExitStack()
        self._opened.callback(Lock(folder).close)
        try:
            self.lines = self._begin(config)
            self.get_ready()
            self._file = open_file(self.path, os.O_WRONLY | os.O_APPEND)
            self._opened.callback(os.close, self._file)
        except BaseException:
            self.close()
            raise

    def _begin(self, config: Mapping[str, object]) -> list[Line]:
        """Write down what decides the lines the first time; afterwards it has to be the same."""
        before = self.read_config(self.folder)
        if before is not None:
            refuse_another(self.folder, self.KIND, before, config)
            self.take_in(self.folder)
        lines = self.content(self.folder, cut=before is not None).lines
        if before is None and lines:
            raise RecordError(f"{self.path} does not say of which {self.KIND} it is")
        if before is None:
            self.write(self.folder, as_text(self.head_of(config)))
        return lines

    def get_ready(self) -> None:
        """What else there is to do before lines are added; raises RecordError."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def missing(self, total: int) -> Iterator[int]:
        """The numbers from 1 to ``total`` that have no line yet."""
        done = {line[self.KEY] for line in self.lines}
        return (number for number in range(1, total + 1) if number not in done)

    def is_complete(self, total: int) -> bool:
        """Whether all from 1 to ``total`` have their lines."""
        return next(self.missing(total), None) is None

    def append(self, line: Line) -> None:
        """Keep a line for good; a part of one is cut off when the folder is opened again."""
        try:
            files.write_all(self._file, as_text(line))
            os.fsync(self._file)
        except OSError as error:
            raise cannot_go_on(self.path, error) from None
        self.lines.append(line)

    def close(self) -> None:
        """Let others use the folder."""
        self._opened.close()
        self._file = -1

    # --- what decides the lines -------------------------------------------------------

    @classmethod
    def old_path(cls, folder: Path) -> Path:
        """Where an earlier version kept what decides the lines."""
        return folder / f"{cls.KIND}.json"

    @classmethod
    def config_path(cls, folder: Path) -> Path:
        """The file that says what decides the lines."""
        old = cls.old_path(folder)
        return old if os.path.lexists(old) else folder / cls.LINES

    @classmethod
    def read_config(cls, folder: Path) -> dict[str, Any] | None:
        """What decides the lines; None if nothing says it."""
        old = read_json(cls.old_path(folder))  # first: it goes when the other is there
        if old is not None:
            return old
        head = cls._read_head(folder)
        if head is None:
            return None
        if cls.kind_of(head) != cls.KIND:
            kind = f"a {cls.kind_of(head)}" if cls.kind_of(head) else "something else"
            told = f"is of {kind} and not of a {cls.KIND}; choose another folder"
            raise RecordError(f"{folder / cls.LINES} {told}")
        return _without(head, cls.KEY, "kind")

    @classmethod
    def kind_of(cls, head: Line) -> str:
        """What a first line says that its journal is of."""
        return str(head.get("kind", ""))

    @classmethod
    def head_of(cls, config: Mapping[str, object]) -> Line:
        """The first line."""
        return {cls.KEY: 0, "kind": cls.KIND, **config}

    @classmethod
    def take_in(cls, folder: Path) -> bool:
        """Make an earlier version's file the first line, by who has the lock; whether it was there.

        The new lines are on the disk before the old file goes.
        """
        config = read_json(cls.old_path(folder))
        if config is None:
            return False
        found = cls.content(folder)
        if found.head is None:
            cls.write(folder, as_text(cls.head_of(config)) + found.text)
        elif _without(found.head, cls.KEY, "kind") != config:
            told = f"{cls.old_path(folder)} and line 1 of {cls.LINES} are different"
            raise RecordError(f"{told}: delete the one that is wrong")
        try:
            files.sync_folder(folder)
            cls.old_path(folder).unlink()
        except OSError as error:
            raise cannot_go_on(cls.old_path(folder), error) from None
        return True

    # --- reading and writing the file -------------------------------------------------

    @classmethod
    def read(cls, folder: Path) -> list[Line]:
        """All lines but the first; a torn last one is left out."""
        return cls.content(folder).lines

    @classmethod
    def is_sound(cls, line: Line) -> bool:
        """Whether a line has what is read from it."""
        number = line[cls.KEY]
        return isinstance(number, int) and number > 0

    @classmethod
    def find(cls, above: Path) -> list[Path]:
        """The folders of such journals, in and below a folder."""
        names = (cls.LINES, cls.old_path(above).name)
        folders = {path.parent for name in names for path in above.glob(f"**/{name}")}
        return sorted(filter(cls.is_there, folders))

    @classmethod
    def is_there(cls, folder: Path) -> bool:
        """Whether a folder holds such a journal, be it a damaged one."""
        if os.path.lexists(cls.old_path(folder)):
            return True
        try:
            head = cls._read_head(folder)
        except RecordError:
            return True  # of which those that read it are told
        return head is not None and cls.kind_of(head) == cls.KIND

    @classmethod
    def content(cls, folder: Path, cut: bool = False) -> Content:
        """The whole file; a torn last line is left out, and cut off if asked to."""
        path = folder / cls.LINES
        try:
            found = files.read_limited(path, MOST_BYTES)
            whole = found[: found.rfind(b"\n") + 1]
            content = cls._parse(path, whole)
            if cut and len(whole) < len(found):
                os.truncate(path, len(whole))
        except FileNotFoundError:
            return Content(None, [], b"")
        except OSError as error:
            raise RecordError(f"{path}: {error.strerror}") from None
        return content

    @classmethod
    def write(cls, folder: Path, text: bytes) -> None:
        """Write the file anew; it is there whole, and on the disk, or not at all."""
        path = folder / cls.LINES
        try:
            files.write_whole(path, text)
            files.sync_folder(folder)
        except OSError as error:
            raise cannot_go_on(path, error) from None

    @classmethod
    def _read_head(cls, folder: Path) -> Line | None:
        """The first line, if it is the one that says what decides the others."""
        path = folder / cls.LINES
        try:
            text = files.read_first_line(path, MOST_BYTES)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise RecordError(f"{path}: {error.strerror}") from None
        if not text.endswith(b"\n"):
            return None  # torn
        line = _parse_line(text)
        if line is None:
            raise RecordError(f"{path}, line 1 is damaged")
        return line if cls._is_head(line) else None

    @classmethod
    def _is_head(cls, line: Line) -> bool:
        number = line.get(cls.KEY)
        return isinstance(number, int) and number == 0

    @classmethod
    def _parse(cls, path: Path, text: bytes) -> Content:
        head, lines = None, dict[int, Line]()
        for number, part in enumerate(text.split(b"\n")[:-1], start=1):
            line = _parse_line(part)
            if number == 1 and line is not None and cls._is_head(line):
                head = line
                continue
            if line is None or not cls._has_all(line):
                raise RecordError(f"{path}, line {number} is damaged")
            if lines.setdefault(line[cls.KEY], line) is not line:
                raise RecordError(f"{path}, line {number} holds {cls.KEY} {line[cls.KEY]} twice")
        return Content(head, list(lines.values()), text)

    @classmethod
    def _has_all(cls, line: Line) -> bool:
        try:
            return cls.is_sound(line)
        except (LookupError, TypeError):
            return False


def as_text(*lines: Line) -> bytes:
    """Lines as they are written."""
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def _parse_line(text: bytes) -> Line | None:
    try:
        line = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return line if isinstance(line, dict) else None


def _without(line: Line, *keys: str) -> Line:
    return {key: value for key, value in line.items() if key not in keys}


def read_json(path: Path) -> dict[str, Any] | None:
    """What a file says that decides something; None if it is not there."""
    try:
        config = json.loads(files.read_limited(path, MOST_BYTES))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise RecordError(f"{path} is damaged: it is no JSON") from None
    if not isinstance(config, dict):
        raise RecordError(f"{path} is damaged: it describes no {path.stem}")
    return config


def refuse_another(
    folder: Path, kind: str, before: Mapping[str, object], config: Mapping[str, object]
) -> None:
    """Refuse to go on with other settings than those that a record began with."""
    asked = json.loads(json.dumps(config))
    for key in [*before, *asked]:
        if before.get(key) != asked.get(key):
            was, now = json.dumps(before.get(key)), json.dumps(asked.get(key))
            raise RecordError(
                f"{folder} holds another {kind}: its {key} is {was}, not {now}; "
                "choose another folder"
            )


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all; raises an OSError."""
    path.parent.mkdir(exist_ok=True)
    files.write_whole(path, text.encode())
