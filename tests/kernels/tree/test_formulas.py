"""The papers' formulas by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

from montego.kernels.tree import formulas
from tests.kernels.exposed import exposed


@pytest.mark.parametrize(
    ("formula", "arguments", "expected"),
    [
        ("ucb1", (0.25, 4, math.log(100), 0.7), 0.25 + 0.7 * math.sqrt(4.60517 / 4)),
        ("ucb_alpha", (0.25, 4, math.log(100), 2.0), 0.25 + 2 * math.sqrt(4.60517 / 4)),
        # sqrt(2 * 4.6 / 1000) = 0.096, and 4 * (0 + 0.096) = 0.384 is below 1
        (
            "ucb_tuned",
            (0.5, 0.0, 1000, math.log(100), 1.0),
            0.5 + math.sqrt(4.60517e-3 * 4 * math.sqrt(9.21034e-3)),
        ),
        ("ucb_tuned", (0.5, 1.0, 10, math.log(100), 1.0), 0.5 + math.sqrt(0.460517)),
        ("progressive_bias", (8.0, 3), 2.0),
        ("with_prior", (0.5, 10, -1.0, 10), -0.25),
        ("rave_beta", (0, 50, 0.001), 1.0),
        ("rave_beta", (100, 100, 0.0), 0.5),
        ("rave_beta", (1000, 1000, 0.001), 1000 / 3000),
        ("rate", (-1.0,), 0.0),
        ("rate", (0.5,), 0.75),
        ("mogo_gamma", (4, 2.0), 0.5),
        ("mogo_gamma", (0, 2.0), 2.0),
        ("mogo_weight", (0, 0.5, 0.0), 0.5),
        ("mogo_weight", (8, 2.0, 1.0), 2.0 + 1 / math.log(10)),
        ("objective_urgency", (0.3, 0.3, 0.2), 1.0),
        ("objective_urgency", (0.5, 0.3, 0.2), math.erfc(1 / math.sqrt(2))),
    ],
)
def test_by_hand(formula: str, arguments: tuple[Any, ...], expected: float) -> None:
    assert exposed(getattr(formulas, formula))(*arguments) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(
    ("visits", "opened"),
    [(30, 5), (50, 5), (51, 5), (65, 5), (66, 6), (84, 6), (85, 7), (110, 8), (1000, 16)],
)
def test_unpruning_opens_one_more_at_each_power(visits: int, opened: int) -> None:
    # P8: k are open once n_p > 50 * 1.3^(k - 5): 65, 84.5, 109.85 ...
    unpruned = exposed(formulas.unpruned)
    assert unpruned(visits, 5, 50.0, 1.3) == opened
    assert visits <= 50 or 50 * 1.3 ** (opened - 5) < visits <= 50 * 1.3 ** (opened - 4)
