"""The formulas of the papers, each once, for every room that needs them."""

from __future__ import annotations

import numpy as np

from montego.kernels.jit import leaf


@leaf
def ucb1(mean, plays, total_plays, c):
    """UCB1 (P1, T5): mean + c * sqrt(ln n / n_i), for plays > 0."""
    return mean + c * np.sqrt(np.log(total_plays) / plays)
