"""The table of commands: complete, true to each command's own help, and loaded one at a time."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pkgutil import iter_modules

import pytest
import typer

from montego import cli
from montego.cli.commands import COMMANDS, load

MODULES = [name for _, name, _ in iter_modules(cli.__path__)]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_summary_is_the_first_paragraph_of_the_help(name: str) -> None:
    command = load(name)
    first = (command.help or "").split("\n\n")[0]
    assert (" ".join(first.split()), command.hidden) == (
        COMMANDS[name].summary,
        COMMANDS[name].hidden,
    )


@pytest.mark.parametrize("module", MODULES)
def test_every_command_of_a_module_is_in_the_table(module: str) -> None:
    app = getattr(import_module(f"montego.cli.{module}"), "app", None)
    if app is None:
        return
    group = typer.main.get_group(app)
    names = [app.info.name] if isinstance(app.info.name, str) else list(group.commands)
    assert names == [name for name in names if COMMANDS[name].module == module]


def test_a_command_loads_no_module_of_another() -> None:
    program = (
        "import sys; from montego.cli import app; app(['rank', '--help'], standalone_mode=False); "
        "print(*(name for name in sys.modules if name.startswith('montego.cli.')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.splitlines()[-1].split())
    others = {f"montego.cli.{entry.module}" for entry in COMMANDS.values()} - {"montego.cli.lab"}
    assert "montego.cli.lab" in loaded
    assert not loaded & others


def test_a_mistyped_command_is_corrected() -> None:
    command = [sys.executable, "-m", "montego", "revue"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "'review'" in done.stderr
