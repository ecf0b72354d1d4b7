"""The records that tell a search how to select, to grow, to back up: a recipe as numbers.

Every rule of the papers is a *kind* and its parameters; kernels branch on the kind.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.features.mogo_terms import MOGO_TERMS

# selection
(
    UCT, ALPHA, TUNED, BIAS, PRIOR, RAVE, MOGO_RAVE, ORDERED, MIXED, OMC, PRUNING, ANNEALING, PUCT,
) = range(13)  # fmt: skip
# backup
AVERAGE, OMC_BACKUP, MINIMAX = range(3)
# knowledge
NOTHING, MANGO_KNOWLEDGE, VIRTUAL_GAMES, LEARNED, OREGO_KNOWLEDGE, MOGO_KNOWLEDGE = range(6)
# how threads share a tree
NO_LOCKS, GLOBAL_LOCK, NODE_LOCKS = range(3)
# selection or backup by a function of the user's, see own
OWN = -1
OWN_NUMBERS = 16  # the most parameters that such a function may have

STRATEGY = np.dtype(
    [
        ("selection", np.int32),
        ("c", np.float64),  # weight of exploration
        ("alpha", np.float64),  # of UCB with alpha (1.2)
        ("first_play", np.float64),  # value of a child without a visit
        # progressive bias (P7) and unpruning (P8)
        ("bias_scale", np.float64),
        ("unpruning", np.int32),
        ("k_init", np.int32),
        ("unprune_a", np.float64),
        ("unprune_b", np.float64),
        # prior knowledge (P11)
        ("n_prior", np.float64),
        # RAVE (T7, T12) and its mixture with means
        ("rave", np.int32),
        ("rave_bias", np.float64),  # c1 of (4.2)
        ("rave_decay", np.int32),  # how much more an early move of a playout counts
        ("gamma", np.float64),  # c2 of (4.3)
        ("less_gamma", np.int32),  # whether means weigh 1 - beta - gamma instead of 1 - beta
        ("bias_c", np.float64),  # C of (4.1)
        ("puct", np.float64),  # weight of H sqrt(n_p) / (n + 1)
        ("less_untried", np.float64),  # what an untried move is worth less than its node
        # Objective Monte Carlo (O4), progressive pruning (O2), simulated annealing (O3)
        ("objective_shift", np.float64),  # of the opponent's objective
        ("confidence", np.float64),  # A of O2
        ("enough_to_prune", np.float64),  # visits before O2 trusts an interval
        ("temperature", np.float64),
        ("cooling", np.float64),  # simulations in which the temperature falls by e
        # growing
        ("threshold", np.int32),  # T: below, the simulation strategy chooses (P2, P3)
        ("expand_at", np.int32),  # without T: visits at which a leaf gets its children
        # values
        ("by_score", np.int32),  # results from scores instead of wins (O1)
        ("backup", np.int32),
        # threads
        ("virtual_loss", np.float64),
        ("locks", np.int32),
        # knowledge
        ("knowledge", np.int32),
        ("knower", np.int64),  # address of the compiled knowledge, see knowledge.py
        ("capture_value", np.float64),
        ("save_value", np.float64),
        ("even", np.float64),  # virtual games, see knowledge.py
        ("near_1", np.float64),
        ("near_2", np.float64),
        ("near_3", np.float64),
        ("capture_games", np.float64),
        ("save_games", np.float64),
        ("pattern_games", np.float64),
        ("self_atari_games", np.float64),
        ("edge_games", np.float64),
        ("learned_games", np.float64),
        ("critical_games", np.float64),
        ("ladder_games", np.float64),
        ("heuristic", np.int32),  # Orego's (H1-H3)
        ("pattern_value", np.float64),  # of MoGo's H: for a move that is certain,
        ("rule_value", np.float64),  # and for a game of its terms
        ("terms", np.float64, MOGO_TERMS),
        # a network, see network.py; 0 for none
        ("network", np.int64),  # address of its record
        ("network_code", np.int64),  # of the forward pass
        ("asker", np.int64),  # of what asks it
        ("network_at", np.int32),  # T: visits of a node that has earned it
        ("network_games", np.float64),
        ("network_share", np.float64),  # of its probabilities; the rest is what was known before
        ("network_value", np.float64),  # lambda: of its value in results; the rest is the playout
        # rules of the user's own, see own
        ("selector", np.int64),  # addresses
        ("valuer", np.int64),
        ("selector_numbers", np.float64, OWN_NUMBERS),
        ("valuer_numbers", np.float64, OWN_NUMBERS),
    ],
    align=True,
)
