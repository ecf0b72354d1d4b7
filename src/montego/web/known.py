"""What a recipe knows of the moves of a position before it looks: H and its terms, and patterns.

The terms are those of the knowledge room where they are learned or MoGo's, the parts of P9 where
they are Mango's.  While a search runs all of it is the same, but for the word of a network, which
takes the place of learned strengths once the position has earned it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from montego.go import BLACK, PASS, Position, vertex
from montego.kernels.board.shape import seen_by
from montego.kernels.playouts.policy import WORK
from montego.kernels.tree.knowledge import describe_mango
from montego.kernels.tree.tree import NONE, ROOT
from montego.knowledge.explain import explain
from montego.knowledge.guess import guess
from montego.knowledge.mogo import explain_mogo
from montego.mcts import node_knowledge as k
from montego.mcts.search import LocalSearch
from montego.web.messages import Known, KnownMove, Term

Terms = dict[int, list[Term]]
"""By move."""
LEAST_FACTOR = 1.15
"""Factors nearer to 1 than this say little."""
MOST_TERMS = 8
COMMON = 0.8
"""What so large a part of all moves has in common says nothing of one of them."""
MANGO_PARTS = ("captures", "rescues", "pattern")


def known_moves(node: int, position: Position, search: LocalSearch) -> Known:
    """What the recipe of a search knows of the moves at its root; the tree has begun to grow."""
    unit, explained = EXPLAINERS.get(type(search.recipe.knowledge), ("", _nothing))
    terms, tables = explained(position, search), search.workspaces[0].tables
    board, size, h = position.board_copy()[0], position.size, _h_by_move(search)
    moves = []
    for move in (move for move in position.legal() if move != PASS):
        shape = _shape_for(int(board["shape"][move]), position.to_play)
        moves.append(
            KnownMove(
                move=vertex(move, size), h=round(h.get(move, 0.0), 4),
                pattern=bool(tables["matches"][shape]),
                shape=round(float(tables["shape_gamma"][shape]), 3), terms=terms.get(move, []),
            )
        )  # fmt: skip
    return Known.model_validate({"node": node, "unit": unit, "moves": moves})


def asked_network(position: Position, search: LocalSearch) -> str:
    """The network that has been asked about the position by now; empty before, and without one."""
    is_asked = bool(search.pool["asked"][ROOT])
    return search.recipe.network.name_on(position.size) if is_asked else ""


def _shape_for(shape: int, color: int) -> int:
    seen: Callable[[int, int], int] = seen_by.__wrapped__
    return shape if color == BLACK else seen(shape, color)


def _h_by_move(search: LocalSearch) -> dict[int, float]:
    found, child = {}, int(search.pool["first_child"][ROOT])
    while child != NONE:
        found[int(search.pool["move"][child])] = float(search.pool["h"][child])
        child = int(search.pool["sibling"][child])
    return found


def _term(name: str, value: float) -> Term:
    return Term(name=name, value=round(value, 3))


# --- the bodies of knowledge -----------------------------------------------------------


def _nothing(position: Position, search: LocalSearch) -> Terms:
    return {}


def _learned(position: Position, search: LocalSearch) -> Terms:
    """Factors of a strength that others have not, the weightiest first; before them, what a
    network says in its place."""
    explained = explain(position, search.workspaces[0].tables)
    told = {
        one.move: [_term(t.name, t.gamma) for t in one.main_terms(LEAST_FACTOR)]
        for one in explained
    }
    counts = Counter((term.name, term.value) for terms in told.values() for term in terms)
    most, network, found = COMMON * len(told), asked_network(position, search), Terms()
    said = guess(position, network).probabilities if network else {}
    for one in explained:
        terms = [term for term in told[one.move] if counts[term.name, term.value] < most]
        found[one.move] = terms[:MOST_TERMS]
        if network:
            found[one.move][:0] = [
                _term(f"network {network}, %", 100 * said[one.move]),
                _term("learned strengths, %", 100 * one.probability),
            ]
    return found


def _mogo(position: Position, search: LocalSearch) -> Terms:
    """Games won or lost in advance, and the probability by patterns in per cent."""
    rules = search.recipe.knowledge
    assert isinstance(rules, k.MogoKnowledge)
    found = {}
    for one in explain_mogo(position, rules):
        games = sorted(one.games.items(), key=lambda item: -abs(item[1]))[: MOST_TERMS - 1]
        patterns = _term("patterns, %", 100 * one.probability)
        found[one.move] = [patterns, *(_term(name.replace("_", " "), n) for name, n in games)]
    return found


def _mango(position: Position, search: LocalSearch) -> Terms:
    """P9: captures, rescues and the pattern, each times the factor for nearness."""
    board, parts = position.board_copy()[0], np.zeros(4)
    record, work = search.recipe.record(), np.zeros(1, dtype=WORK)[0]
    found = {}
    for move in (move for move in position.legal() if move != PASS):
        describe_mango(
            board, record, search.tree, search.workspaces[0].tables, work, move,
            position.to_play, parts,
        )  # fmt: skip
        *values, near = parts.tolist()
        terms = [_term(name, v) for name, v in zip(MANGO_PARTS, values, strict=True) if v]
        found[move] = [*terms, _term("× nearness", near)]
    return found


Explainer = Callable[[Position, LocalSearch], Terms]
EXPLAINERS: dict[type[Any], tuple[str, Explainer]] = {
    k.LearnedGames: ("factor", _learned),
    k.MogoKnowledge: ("games", _mogo),
    k.MangoKnowledge: ("h", _mango),
    k.OregoKnowledge: ("value", _nothing),
}
