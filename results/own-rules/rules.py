from math import sqrt

from montego.mcts.own_rules import selection
from montego.mcts.recipes import Recipe


@selection
def ucb_tuned(value, visits, log_parent_visits, variance, c=1.0):
    share = log_parent_visits / visits
    return value + c * sqrt(share * min(1.0, variance + 4 * sqrt(2 * share)))


@selection(first_play=None)
def like_its_parent(value, visits, parent_value, log_parent_visits, c=0.4, games=3.0):
    known = (value * visits + parent_value * games) / (visits + games)
    return known + c * sqrt(log_parent_visits / (visits + games))


TUNED = Recipe("tuned", selection=ucb_tuned())
LIKE = Recipe("like", selection=like_its_parent())
