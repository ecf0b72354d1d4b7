"""The thesis' own small examples: figure 1.4, Algorithm 4 and the regret of bandits."""

from __future__ import annotations

import math
from pathlib import Path
from random import Random

from montego.planning.bandits import lai_robbins, play, regret
from montego.planning.dynamic import shortest_path
from montego.planning.flat import estimate

FIGURE_1_4 = {
    "A": {"B": 3, "C": 4, "D": 6},
    "B": {"E": 2, "F": 5},
    "C": {"E": 7, "F": 1},
    "D": {"E": 6, "F": 4},
    "E": {"G": 2},
    "F": {"G": 3},
}
COINS = (0.9, 0.8, 0.7, 0.6)
PLACES = {
    "A": (0, 1),
    "B": (1, 2),
    "C": (1, 1),
    "D": (1, 0),
    "E": (2, 1.6),
    "F": (2, 0.4),
    "G": (3, 1),
}


def in_circle(rng: Random) -> float:
    """4 if a random point of the square lies in the quarter of a circle, else 0."""
    return 4.0 * (rng.random() ** 2 + rng.random() ** 2 <= 1)


def path_figure(folder: Path, quick: bool = False) -> dict[str, object]:
    """Figure 1.4 with its shortest path."""
    from montego.planning.figures import canvas, save

    found = shortest_path(FIGURE_1_4, "A", "G")
    picture, (axis,) = canvas(inches=(6.0, 3.2))
    best = set(zip(found.vertices, found.vertices[1:], strict=False))
    for tail, heads in FIGURE_1_4.items():
        for head, length in heads.items():
            (x, y), (a, b) = PLACES[tail], PLACES[head]
            is_best = (tail, head) in best
            axis.plot(
                [x, a], [y, b], c="#c8641e" if is_best else "#aaaaaa", lw=2.5 if is_best else 1
            )
            axis.text(x + 0.35 * (a - x), y + 0.35 * (b - y), str(length), fontsize=9,
                      bbox={"fc": "white", "ec": "none", "pad": 1})  # fmt: skip
    for name, (x, y) in PLACES.items():
        axis.plot(x, y, "o", ms=20, c="white", mec="black")
        axis.text(x, y, name, ha="center", va="center")
        axis.text(x, y - 0.27, f"f = {found.distances[name]:g}", ha="center", fontsize=8)
    axis.axis("off")
    save(picture, folder / "planning-shortest-path.svg")
    return {"path": "".join(found.vertices), "length": found.length}


def pi_figure(folder: Path, quick: bool = False) -> dict[str, object]:
    """The estimate of π and its interval as points are added."""
    from montego.planning.figures import canvas, save

    counts = [10**k for k in range(2, 5 if quick else 6)]
    found = [estimate(in_circle, evaluations=n, seed=1) for n in counts]
    picture, (axis,) = canvas()
    errors = [e.high - e.mean for e in found]
    axis.errorbar(counts, [e.mean for e in found], yerr=errors, fmt="o", capsize=3)
    axis.axhline(math.pi, color="#c8641e", lw=1)
    axis.set_xscale("log")
    axis.set_xlabel("points")
    axis.set_ylabel("estimate of π, 95 % interval")
    save(picture, folder / "planning-pi.svg")
    return {str(n): round(e.mean, 4) for n, e in zip(counts, found, strict=True)}


def regret_figure(folder: Path, quick: bool = False) -> dict[str, object]:
    """The regret of bandits on four coins, and Lai and Robbins' bound."""
    from montego.planning.figures import canvas, save

    pulls, runs = (1000, 2) if quick else (5000, 5)
    arms = [lambda rng, p=p: float(rng.random() < p) for p in COINS]
    picture, (axis,) = canvas()
    places = [*(round(10 ** (k / 10)) for k in range(10, int(10 * math.log10(pulls)))), pulls]
    last: dict[str, object] = {}
    for name in ("ucb1", "ucb-alpha", "ucb-tuned", "thompson", "threshold-ascent", "uniform"):
        lost = [regret(play(name, arms, pulls, seed=seed), COINS) for seed in range(runs)]
        mean = [sum(one[n - 1] for one in lost) / runs for n in places]
        axis.plot(places, mean, label=name)
        last[name] = round(mean[-1], 1)
    bound = [lai_robbins(COINS, n) for n in places]
    axis.plot(places, bound, "k--", label="Lai and Robbins")
    last["Lai and Robbins"] = round(bound[-1], 1)
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_xlabel("pulls")
    axis.set_ylabel(f"regret, mean of {runs} runs")
    axis.legend(frameon=False, fontsize=8)
    save(picture, folder / "planning-regret.svg")
    return {"pulls": pulls, "runs": runs, "regret": last}
