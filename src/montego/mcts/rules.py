"""The rules by name: what people write, what each computes, and the paper it is from.

``selection=prior`` takes a rule, ``selection.n_prior=30`` sets one of its numbers.  The table is
all there is: recipes are changed by it, ``montego recipes --rules`` prints it, and errors list
its names.  v is a mean result in [-1, 1] and x the same as a rate in [0, 1], n the visits of a
move, n_p those of its node; R and r are RAVE's mean and visits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from montego.mcts import network as w, node_knowledge as k, strategies as s
from montego.mcts.playouts import KINDS
from montego.mcts.ranges import range_of


@dataclass(frozen=True)
class Rule:
    """A rule that can be asked for."""

    value: Any
    """The rule with the numbers that it has by default."""
    papers: str
    """Its id in docs/methods.md, or whose it is."""
    formula: str
    fixed: tuple[str, ...] = ()
    """The fields that its name decides."""

    def is_kind_of(self, rule: object) -> bool:
        """Whether a rule is this one, perhaps with other numbers."""
        return type(rule) is type(self.value) and all(
            getattr(rule, name) == getattr(self.value, name) for name in self.fixed
        )


GELLY = "Gelly and Silver 2007"
RULES: dict[str, dict[str, Rule]] = {
    "selection": {
        "uct": Rule(s.Uct(), "P1", "v + c sqrt(ln n_p / n)"),
        "uct-alpha": Rule(s.UctAlpha(), "T5", "v + alpha sqrt(ln n_p / n)"),
        "uct-tuned": Rule(
            s.UctTuned(), "T5",
            "v + c sqrt(ln n_p / n min(1, 4 V)), V = variance / 4 + sqrt(2 ln n_p / n)",
        ),
        "bias": Rule(s.ProgressiveBias(), "P7", "v + c sqrt(ln n_p / n) + H / (n + 1)"),
        "prior": Rule(
            s.PriorKnowledge(), "P11",
            "(v n + n_prior Q) / (n + n_prior) + c sqrt(ln n_p / (n + n_prior))",
        ),
        "rave": Rule(
            s.Rave(), "T7",
            "(1 - beta) x + beta R + c sqrt(ln n_p / n), beta = r / (r + n + rave_bias n r)",
        ),
        "mogo": Rule(s.MogoRave(), "T12", "rave + (gamma / r + bias_c / log(2 + n)) H"),
        "ordering": Rule(s.MoveOrdering(), "H4", "UCT; an untried move has 1 + bias_scale H"),
        "mixture": Rule(
            s.RaveMixture(), GELLY,
            "(1 - beta) v + beta R + puct H sqrt(n_p) / (n + 1), prior games in v",
        ),
        "puct": Rule(
            s.Puct(), "Rosin 2011",
            "v + puct H sqrt(n_p) / (n + 1); untried, v = the node's - less_untried",
        ),
        "objective": Rule(
            s.Objective(), "O4", "drawn in proportion to U = erfc((Obj - v) / (sqrt(2) sigma))"
        ),
        "pruning": Rule(
            s.ProgressivePruning(), "O2",
            "equal shares; shut if v + A sigma / sqrt(n) < the best's v - A sigma / sqrt(n), "
            "A = confidence",
        ),
        "annealing": Rule(
            s.Annealing(), "O3",
            "a random move, kept with probability e^(-(best - v) / T), "
            "T = temperature e^(-n_p / cooling)",
        ),
        "annealing-amaf": Rule(
            s.AmafAnnealing(), "O3", "the same, v counted as if all moves were first"
        ),
    },
    "open": {
        "all": Rule(s.AllOpen(), "P1", "every child"),
        "unpruning": Rule(
            s.Unpruning(), "P8", "the best k by H once n_p > unprune_a unprune_b^(k - k_init)"
        ),
    },
    "growth": {
        "threshold": Rule(
            s.Threshold(), "P2, P3", "one node a game; all children at visit threshold"
        ),
        "visits": Rule(s.AfterVisits(), "T6", "all children at visit expand_at"),
    },
    "backup": {
        "average": Rule(s.Average(), "P5", "the mean of all results"),
        "objective": Rule(s.ObjectiveBackup(), "O5", "sum U v n / sum U n over the children"),
        "minimax": Rule(s.Minimax(), "O5", "the value of the best child"),
    },
    "knowledge": {
        "nothing": Rule(k.NoKnowledge(), "P1", "no H, no Q"),
        "mango": Rule(
            k.MangoKnowledge(), "P9", "H = (captures + shape) sum of (2 d_k)^(-alpha_k)"
        ),
        "virtual": Rule(k.VirtualGames(), "michi", "H and Q by games won or lost in advance"),
        "learned": Rule(k.LearnedGames(), "T12b", "H and Q by learned strengths of moves"),
        "mogo": Rule(k.MogoKnowledge(), "T12", "H, and games that RAVE counts begin with"),
        "orego": Rule(k.OregoKnowledge(), "H1-H3", "H by one heuristic"),
    },
    "network": {
        "none": Rule(w.NoNetwork(), "P1", "cheap knowledge alone"),
        "policy": Rule(
            w.PolicyNetwork(), "our own",
            "H = share p + (1 - share) H, p by a network, from visit number at on",
        ),
    },
    "playout": {
        "uniform": Rule(KINDS["uniform"], "O1", "any move that fills no own eye"),
        "mango": Rule(KINDS["mango"], "P4", "drawn by urgency"),
        "mogo": Rule(KINDS["mogo"], "T13-T16", "the first of a list of rules that has a move"),
        "expert": Rule(KINDS["expert"], "our own", "a list of rules, each asked so often"),
        "orego-capture": Rule(
            KINDS["orego-capture"], "H1, H4b", "the best of a few by captures", ("heuristic",)
        ),
        "orego-fighting": Rule(
            KINDS["orego-fighting"], "H2, H4b", "the best of a few by liberties", ("heuristic",)
        ),
        "orego-pattern": Rule(
            KINDS["orego-pattern"], "H3, H4b", "the best of a few by shape", ("heuristic",)
        ),
    },
    "final": {
        "robust": Rule(s.Robust(), "P6", "largest n"),
        "max": Rule(s.Max(), "P6", "largest v"),
        "robust-max": Rule(s.RobustMax(), "P6", "both; the search goes on until there is one"),
        "secure": Rule(s.Secure(), "P6", "largest v - a / sqrt(n)"),
    },
    "locks": {
        "none": Rule(s.NoLocks(), "T21", "atomic counts, nobody waits"),
        "global": Rule(s.GlobalLock(), "T21", "one lock for the tree"),
        "node": Rule(s.NodeLocks(), "T21", "a lock for every node"),
    },
}  # fmt: skip
"""By part of a recipe and by name."""
PARTNER = "learned"
"""The knowledge that comes with a rule that needs some, where a recipe has none."""


def find_rule(part: str, name: str) -> Rule:
    """A rule by its part and name; raises a ValueError that lists those there are."""
    known = RULES[part]
    if name not in known:
        raise ValueError(f"{name!r} is not a rule of {part}: {', '.join(known)} are")
    return known[name]


def name_of(part: str, rule: object) -> str | None:
    """The name of a rule; None for one of the user's own."""
    return next((name for name, known in RULES[part].items() if known.is_kind_of(rule)), None)


def check_needs(part: str, rule: s.Strategy, knowledge: s.Strategy) -> None:
    """Refuse a rule that has to be told about moves what this knowledge does not tell."""
    if rule.NEEDS and rule.NEEDS not in knowledge.GIVES:
        able = [name for name, known in RULES["knowledge"].items()
                if rule.NEEDS in known.value.GIVES]  # fmt: skip
        raise ValueError(
            f"{part}={name_of(part, rule) or type(rule).__name__} needs {rule.NEEDS}, which "
            f"knowledge={name_of('knowledge', knowledge) or type(knowledge).__name__} does not "
            f"give: {', '.join(able)} do"
        )


def numbers_of(rule: Any) -> list[dict[str, Any]]:
    """Every parameter of a rule with its value and, if it is a number, its range."""
    found = []
    for field in fields(rule):
        value = getattr(rule, field.name)
        entry: dict[str, Any] = {"name": field.name, "value": value}
        if isinstance(value, int | float) and not isinstance(value, bool):
            entry["least"], entry["most"] = range_of(rule, field.name)
        found.append(entry)
    return found


def parts_of(recipe: object) -> Mapping[str, str | None]:
    """The name of the rule that a recipe has for each part."""
    return {part: name_of(part, getattr(recipe, part)) for part in RULES}
