"""``montego dft``: plan, bench and wisdom on the command line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from montego.cli.common import Json, Seed, told_to_the_user
from montego.cli.typed import check_writable, parse_seconds, split_items

if TYPE_CHECKING:
    from montego.dft.bench import Figure
    from montego.dft.search import SearchResult

SPARKS = "▁▂▃▄▅▆▇█"
DEFAULT_SIZES = "2^5-2^20"
MUCH = 0.2
"""A share of a search from which compiling is mentioned."""


def parse_size(text: str) -> int:
    """A size such as 262144, 2^18 or 3*2^10."""
    if not re.fullmatch(r"\d+(\^\d+)?(\*\d+(\^\d+)?)*", text.strip()):
        raise typer.BadParameter(f"a size is a number such as 1024, 2^18 or 3*2^10, not {text!r}")
    product = 1
    for factor in text.strip().split("*"):
        base, _, power = factor.partition("^")
        if len(base) > 8 or len(power) > 2:
            raise typer.BadParameter(f"{text} is too large a size")
        product *= int(base) ** int(power or 1)
    return product


app = typer.Typer(
    name="dft", help="A fast Fourier transform, tuned to this machine.", no_args_is_help=True
)


def parse_sizes(text: str) -> list[int]:
    """Sizes with commas; 2^5-2^10 is a range in which each size is twice the one before."""
    sizes: list[int] = []
    for part in split_items(text, "--sizes"):
        first, dash, last = part.partition("-")
        low, high = parse_size(first), parse_size(last if dash else first)
        if not 0 < low <= high:
            raise typer.BadParameter(f"{part} is no range of sizes", param_hint="'--sizes'")
        sizes += [low << power for power in range((high // low).bit_length())]
    return sizes


@app.command()
def plan(
    size: Annotated[str, typer.Argument(metavar="SIZE", help="Such as 1024, 2^18 or 3*2^10.")],
    search: Annotated[
        str, typer.Option(metavar="NAME", help="tag, dp, montecarlo or exhaustive.")
    ] = "tag",
    seconds: Annotated[
        float,
        typer.Option(parser=parse_seconds, metavar="S", help="Time to search; dp has no limit."),
    ] = 20.0,
    single: Annotated[bool, typer.Option("--single", help="In single precision.")] = False,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Search for the fastest plan of a size on this machine and keep it as wisdom.

    Ctrl-C ends the search and keeps the best plan so far.
    """
    n = parse_size(size)
    from montego.dft.defaults import check_size
    from montego.dft.interface import find_plan
    from montego.dft.plans import DftError

    precision = "single" if single else "double"
    with told_to_the_user(DftError):
        check_size(n)
        with LiveCurve() as curve:
            result = find_plan(n, search, seconds, precision, seed, curve)
    typer.echo(dumps(as_json(result), indent=2) if json else as_text(result))


def as_json(result: SearchResult) -> dict[str, Any]:
    """The result for programs; its keys are stable."""
    return {
        "n": result.n,
        "precision": result.precision,
        "search": result.search,
        "plan": list(result.word),
        "seconds": result.seconds,
        "mflops": round(result.mflops, 1),
        "evaluations": result.evaluations,
        "elapsed": round(result.elapsed, 3),
        "compiling": round(result.compiling, 3),
        "history": [[round(at, 4), seconds] for at, seconds in result.history],
    }


def as_text(result: SearchResult) -> str:
    """The result for people."""
    timings = f"{result.evaluations:,} timing{'s' * (result.evaluations != 1)}"
    lines = [
        f"plan: {' '.join(map(str, result.word))}",
        f"time: {result.seconds * 1e6:,.3f} µs, {result.mflops:,.0f} pseudo-Mflop/s "
        f"({timings} in {result.elapsed:.1f} s)",
    ]
    if result.compiling > MUCH * result.elapsed:
        from montego.kernels.compiler.cache import can_keep

        then = "once: a second search tries more" if can_keep() else "for this run only"
        lines += [f"{result.compiling:.1f} s of it compiled kernels, {then}"]
    return "\n".join(lines)


class LiveCurve:
    """The best so far, live on standard error; without a terminal, a line now and then."""

    def __init__(self) -> None:
        from rich.live import Live

        from montego.lab.base.console import plain_console
        from montego.lab.base.progress import QuietLines

        self.console = plain_console(stderr=True)
        self.live = Live(console=self.console, transient=True, refresh_per_second=8)
        self.quiet_lines = QuietLines(self.console)

    def __enter__(self) -> LiveCurve:
        if self.console.is_terminal:
            self.live.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self.console.is_terminal:
            self.live.stop()

    def __call__(self, result: SearchResult) -> None:
        if self.console.is_terminal:
            self.live.update(drawn(result))
        else:
            self.quiet_lines(drawn(result).splitlines()[0])


def drawn(result: SearchResult) -> str:
    """The search so far: a curve of the best speed over time, and the best plan."""
    limit = f" of {result.limit:g}" if result.limit else ""
    head = f"{result.elapsed:.1f}{limit} s, {result.evaluations:,} plans timed"
    if not result.history:
        return head
    curve = sparkline(result.history, result.limit or result.elapsed)
    plan = " ".join(map(str, result.word))
    return f"{head}, best {result.mflops:,.0f} Mflop/s\n{curve}\n{plan}"


def sparkline(history: Sequence[tuple[float, float]], limit: float, width: int = 60) -> str:
    """The best speed over time as one line of blocks, scaled from 0 to the best."""
    best = min(seconds for _, seconds in history)
    blocks = []
    for column in range(width):
        until = [s for at, s in history if at <= (column + 1) * limit / width]
        share = best / until[-1] if until else 0.0
        blocks.append(SPARKS[min(7, int(8 * share))] if until else " ")
    return "".join(blocks)


@app.command()
def bench(
    sizes: Annotated[
        str, typer.Option(metavar="LIST", help="Sizes with commas; 2^5-2^20 is a range.")
    ] = DEFAULT_SIZES,
    seconds: Annotated[
        float, typer.Option(parser=parse_seconds, metavar="S", help="For each library and size.")
    ] = 0.3,
    libraries: Annotated[
        str, typer.Option(metavar="LIST", help="Names with commas, or all.")
    ] = "all",
    single: Annotated[bool, typer.Option("--single", help="In single precision.")] = False,
    json: Json = False,
) -> None:
    """Benchmark this transform, NumPy, SciPy and FFTW (pyfftw), in one run.

    Speed is 5 n log2 n / t in pseudo-Mflop/s. Libraries that are not installed are left out.
    """
    wanted = parse_sizes(sizes)
    import numpy as np

    from montego.dft.bench import ALL, is_installed, measure
    from montego.dft.defaults import check_size
    from montego.dft.plans import DftError

    names = ALL if libraries == "all" else tuple(split_items(libraries, "--libraries"))
    with told_to_the_user(DftError):
        for n in wanted:
            check_size(n)
        unknown = set(names) - set(ALL)
        if unknown:
            raise DftError(f"libraries are {', '.join(ALL)}, not {', '.join(sorted(unknown))}")
        if not is_installed(names[0]):
            raise DftError(f"{names[0]} is not installed")
    dtype = np.complex64 if single else np.complex128
    figures: list[Figure] = []
    with Rows(names, quiet=json) as rows:
        for n in wanted:
            measured = list(measure(n, seconds, names, dtype))
            figures += measured
            rows.add(n, measured)
    if json:
        typer.echo(dumps([figure.as_json() for figure in figures], indent=2))


class Rows:
    """A growing table: the first library's speed, and the times of the others by its time."""

    def __init__(self, names: Sequence[str], quiet: bool) -> None:
        from rich.table import Table

        from montego.lab.base.console import plain_console

        self.console, self.names = plain_console(), names
        self.status = plain_console(stderr=True).status("planning and measuring …")
        self.table = Table(
            "size", *(f"{name}, Mflop/s" if i == 0 else name for i, name in enumerate(names)),
            caption=f"the time of others by that of {names[0]}: above 1 they are slower",
        )  # fmt: skip
        self.quiet = quiet

    def __enter__(self) -> Rows:
        self.status.start()
        return self

    def __exit__(self, kind: object, *error: object) -> None:
        self.status.stop()
        if not self.quiet:
            self.console.print(self.table)

    def add(self, n: int, figures: Sequence[Figure]) -> None:
        times = {figure.library: figure for figure in figures}
        first = times.get(self.names[0])
        cells = [
            f"{times[name].seconds / first.seconds:.2f}" if first and name in times else "–"
            for name in self.names[1:]
        ]
        self.table.add_row(f"{n:,}", f"{first.mflops:,.0f}" if first else "–", *cells)


@app.command()
def wisdom(
    out: Annotated[
        Path | None, typer.Option("--export", metavar="FILE", help="Write all plans to this file.")
    ] = None,
    source: Annotated[
        Path | None, typer.Option("--import", metavar="FILE", help="Add the plans in this file.")
    ] = None,
    foreign: Annotated[
        bool, typer.Option("--foreign", help="Import plans of other machines, too.")
    ] = False,
    forget: Annotated[bool, typer.Option("--forget", help="Forget all plans.")] = False,
    json: Json = False,
) -> None:
    """Show the best known plans for this machine; export, import or forget them."""
    if out is not None:
        check_writable(out, "'--export'")
    from montego.dft import wisdom as known
    from montego.dft.plans import DftError

    with told_to_the_user(DftError):
        if source is not None:
            known.check(source)
        if forget or source is not None:
            known.check_place()
        if forget:
            from montego.dft.interface import forget_wisdom

            forget_wisdom()
        if source is not None:
            from montego.dft.interface import import_wisdom

            number = import_wisdom(source, foreign=foreign)
            typer.echo(f"{number} new plans for this machine", err=True)
        if out is not None:
            typer.echo(f"{known.export_wisdom(out)} plans written", err=True)
    entries = known.entries()
    if json:
        typer.echo(dumps(entries, indent=2))
    elif out is None and source is None:
        for key, entry in sorted(entries.items(), key=lambda item: int(item[0].split()[0])):
            plan = " ".join(map(str, entry["plan"]))
            typer.echo(f"{key}: {entry['seconds'] * 1e6:,.3f} µs  {plan}")
