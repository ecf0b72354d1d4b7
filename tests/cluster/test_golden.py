"""Clusters find what they have always found."""

from __future__ import annotations

from tests.golden import trees


def test_what_machines_find_together_is_what_it_was() -> None:
    kept = trees.read()
    for title, found in trees.all_shared_trees().items():
        assert found == kept.get(title), f"{title}; if this was meant: python -m tests.golden.trees"
