"""A review as one HTML page that can be sent to a friend: no script, nothing from elsewhere.

The curves are SVG that is stretched to any width; their figures and the marks of mistakes lie
above them as HTML, so that they keep their size on a telephone.  The boards are drawn by
``montego.go.svg``, the style is in ``review_page.css``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from montego import __version__
from montego.go import BLACK, WHITE, Position, color_name, svg, vertex
from montego.lab.tools.review import BAD, DOUBTFUL, Review, Reviewed, positions
from montego.lab.tools.review_report import WORST, named_players, of_player, shorten, title

STYLE = Path(__file__).with_name("review_page.css")
WIDTH, HEIGHT = 1000.0, 200.0
"""Of a curve, in units of its own."""
LEAST_LEAD = 5.0
"""Points that the axis of the lead goes up to at least."""
MOST_TICKS = 8
MIDDLE_SIZE = 13
"""Of larger boards fewer stand in a row."""
FIGURES = (
    ("moves", "moves", "{:.0f}"),
    ("as the search", "as_the_search", "{:.0f}"),
    ("doubtful", "doubtful", "{:.0f}"),
    ("bad", "bad", "{:.0f}"),
    ("mean chance lost", "mean_loss", "{:.1%}"),
    ("mean points lost", "mean_points_lost", "{:.1f}"),
)
"""What is told of a player: how it is called, its key, its form."""
SHOWN = 3
"""Moves of the better line that the table tells."""
ANSWER = 4
"""Moves that are told of what punishes a mistake."""


def page(review: Review) -> str:
    """The whole page."""
    body = (_header(review), _players(review), _curves(review), _worst(review), _mistakes(review))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title(review.record))}: review</title>\n"
        f"<style>\n{STYLE.read_text(encoding='utf-8')}</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + f"\n{_footer(review)}\n</body>\n</html>\n"
    )


# --- who played ------------------------------------------------------------------------


def _header(review: Review) -> str:
    record = review.record
    sides = ((BLACK, record.black), (WHITE, record.white))
    names = [
        f"{_stone(color)}&nbsp;{escape(shorten(name) or color_name(color))}"
        for color, name in sides
    ]
    size = record.position.size
    facts = [f"{size}×{size}", f"komi {record.position.komi:g}"]
    if record.handicap:
        facts.append(f"{record.handicap} handicap stones")
    facts.append(_count(len(record.position.moves), "move"))
    if record.result:
        facts.insert(0, f"<strong>{escape(shorten(record.result))}</strong>")
    if not review.complete:
        facts.append(f"reviewed up to move {len(review.moves)}")
    jumps = '<a href="#curves">Curves</a><a href="#worst">Worst moves</a>'
    if review.mistakes:
        jumps += '<a href="#mistakes">All mistakes</a>'
    return (
        f'<header id="top">\n<h1>{" – ".join(names)}</h1>\n'
        f'<p class="soft">{" · ".join(facts)}</p>\n<nav class="jump">{jumps}</nav>\n</header>'
    )


def _players(review: Review) -> str:
    """A column a player: that fits on a telephone."""
    names = [f"{_stone(color)} {escape(name)}" for color, name in named_players(review.record)]
    both = [of_player(review, color) for color in (BLACK, WHITE)]
    rows = [
        _row(heading, *(_number(form.format(own[key])) for own in both))
        for heading, key, form in FIGURES
    ]
    return _section("players", "Players", _table(["", *names], rows, right=names))


def _worst(review: Review) -> str:
    worst, size = review.worst(WORST), review.record.position.size
    if not worst:
        told = f"<p>No move lost {DOUBTFUL:.0%} of the chance to win, or more.</p>"
        return _section("worst", "Worst moves", told)
    rows = [
        _row(
            f'<a href="#move-{move.number}">{move.number}</a>',
            f'<span class="points">{_stone(move.color)} {vertex(move.move, size)}</span>',
            _number(_chances(move)),
            _number(f"{move.points_lost:.1f}"),
            f'<span class="points">{vertex(move.best, size)}'
            f'<span class="rest"> {_named(move.line[1:SHOWN], size)}</span></span>',
        )
        for move in worst
    ]
    headings = ["move", "played", "chance to win", "points lost", "better"]
    table = _table(headings, rows, right=("chance to win", "points lost"))
    return _section("worst", "Worst moves", table)


# --- curves ----------------------------------------------------------------------------


def _curves(review: Review) -> str:
    most = max([LEAST_LEAD, *map(abs, review.leads)])
    most = math.ceil(most / 5) * 5
    rates = [100 * rate for rate in review.win_rates]
    charts = (
        '<p class="small soft">Black\'s chance to win, %</p>',
        _chart(review, rates, (0, 100), (0, 50, 100), "under"),
        '<p class="small soft">Black\'s lead in points</p>',
        _chart(review, review.leads, (-most, most), (-most, 0, most), "lead"),
    )
    legend = (
        '<p class="legend">The dots are the mistakes: red for a bad move, amber for a doubtful '
        "one, in the colour of who made it. A dot leads to its board.</p>"
    )
    return _section("curves", "The game", "\n".join(charts) + legend)


def _chart(
    review: Review,
    values: Sequence[float],
    limits: tuple[float, float],
    ticks: Sequence[float],
    kind: str,
) -> str:
    """A curve; the area between it and the bottom (``under``), or the middle (``lead``)."""
    low, high = limits
    last = max(len(values) - 1, 1)

    def down(value: float) -> float:
        return (high - min(max(value, low), high)) / (high - low)

    points = [(i / last * WIDTH, down(value) * HEIGHT) for i, value in enumerate(values)]
    curve = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    floor = HEIGHT if kind == "under" else HEIGHT / 2
    over = f'<rect class="over" width="{WIDTH:g}" height="{HEIGHT:g}"/>' if kind == "under" else ""
    drawn = (
        f'<svg viewBox="0 0 {WIDTH:g} {HEIGHT:g}" preserveAspectRatio="none" aria-hidden="true">'
        f'{over}<path class="{kind}" d="M0 {floor:g}L{curve}V{floor:g}Z"/>'
        f'<path class="even" d="M0 {HEIGHT / 2:g}H{WIDTH:g}"/>'
        f'<path class="curve" d="M{curve}"/></svg>'
    )
    labels = [f'<span class="y" style="top:{down(y):.1%}">{_signed(y, low)}</span>' for y in ticks]
    labels += [f'<span class="x" style="left:{x / last:.1%}">{x}</span>' for x in _steps(last)]
    size = review.record.position.size
    dots = [_dot(move, move.number / last, down(values[move.number]), size) for move in
            review.mistakes]  # fmt: skip
    return f'<div class="chart">{drawn}{"".join(labels)}{"".join(dots)}</div>'


def _signed(value: float, low: float) -> str:
    return f"{value:+g}" if low < 0 and value else f"{value:g}"


def _steps(last: int) -> Iterable[int]:
    """Round numbers of moves, not too many."""
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, last) if
                last <= step * MOST_TICKS)  # fmt: skip
    return range(0, last + 1, step)


def _dot(move: Reviewed, left: float, top: float, size: int) -> str:
    told = f"move {move.number}: {color_name(move.color)} {vertex(move.move, size)}"
    told += f", {_chances(move)}"
    return (
        f'<a class="{color_name(move.color).lower()} is-{move.verdict}" href="#move-{move.number}" '
        f'style="left:{left:.2%};top:{top:.2%}" title="{told}" aria-label="{told}"></a>'
    )


# --- mistakes --------------------------------------------------------------------------


def _mistakes(review: Review) -> str:
    mistakes = review.mistakes
    if not mistakes:
        return ""
    before = positions(review.record.position)
    links = ["", *(_link_to(move) for move in mistakes), ""]
    articles = [
        _article(move, before[move.number - 1], links[i], links[i + 2])
        for i, move in enumerate(mistakes)
    ]
    legend = (
        '<p class="legend">The cross is the move that was played. The numbers are what the search '
        "would have played, and how it expects the game to go on then.</p>"
    )
    width = "mistakes large" if review.record.position.size > MIDDLE_SIZE else "mistakes"
    cards = f'<div class="{width}">\n{"".join(articles)}</div>'
    return _section("mistakes", _count(len(mistakes), "mistake"), legend + cards)


def _link_to(move: Reviewed) -> str:
    return f'<a href="#move-{move.number}">{move.number}</a>'


def _article(move: Reviewed, position: Position, previous: str, following: str) -> str:
    size = position.size
    played, better = vertex(move.move, size), vertex(move.best, size)
    heading = f"Move {move.number}: {_stone(move.color)} {color_name(move.color)} {played}"
    label = f"move {move.number}: {color_name(move.color)} played {played}, better is {better}"
    drawn = svg.board(position, move.line, move.move, label)
    told = [f"better: {_named(move.line, size)}"]
    if missing := svg.undrawn(position, move.line):
        told.append(f"not drawn: {', '.join(missing)}")
    if move.next_view and move.next_view.line:
        told.append(f"after {played}: {_named(move.next_view.line[:ANSWER], size)}")
    points = f", about {move.points_lost:.1f} points lost" if move.points_lost else ""
    jumps = [f"← {previous}"] * bool(previous) + [f"{following} →"] * bool(following)
    return (
        f'<article id="move-{move.number}"><h3>{heading}</h3>\n'
        f'<p class="small"><strong class="{move.verdict}">{move.verdict}</strong>: chance to win '
        f"{_chances(move)}{points}</p>\n{drawn}\n"
        + "".join(f'<p class="small">{line}</p>' for line in told)
        + f'<nav class="small">{"".join(f"<span>{jump}</span>" for jump in jumps)}'
        '<a class="top" href="#top">top</a></nav></article>\n'
    )


def _named(line: Sequence[int], size: int) -> str:
    return " ".join(vertex(point, size) for point in line)


# --- pieces ----------------------------------------------------------------------------


def _footer(review: Review) -> str:
    by = f" ({escape(review.by)})" if review.by else ""
    return (
        f'<footer class="small soft"><p>Reviewed by Montego {escape(__version__)}{by}. Every '
        "position was searched; what a move lost is the chance to win before it minus the chance "
        f"after it, seen by the player who made it: {DOUBTFUL:.0%} make a move doubtful, {BAD:.0%} "
        "bad. Points are the mean of random games: they are rough, and larger than in truth where "
        "the game is decided, and no move is blamed for them alone.</p></footer>"
    )


def _section(name: str, heading: str, content: str) -> str:
    return f'<section id="{name}">\n<h2>{heading}</h2>\n{content}\n</section>'


def _table(headings: Sequence[str], rows: Sequence[str], right: Sequence[str]) -> str:
    cells = (
        f"<th{' class=number' if heading in right else ''}>{heading}</th>" for heading in headings
    )
    return (
        f'<div class="wide"><table>\n<thead><tr>{"".join(cells)}</tr></thead>\n'
        f"<tbody>\n{''.join(rows)}</tbody>\n</table></div>"
    )


def _row(*cells: str) -> str:
    """Cells are HTML; a figure comes as a cell of its own."""
    told = (cell if cell.startswith("<td") else f"<td>{cell}</td>" for cell in cells)
    return f"<tr>{''.join(told)}</tr>\n"


def _number(text: str) -> str:
    return f'<td class="number">{text}</td>'


def _stone(color: int) -> str:
    return f'<span class="stone {color_name(color).lower()}"></span>'


def _chances(move: Reviewed) -> str:
    return f"{move.before:.0%} → {move.after:.0%}"


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
