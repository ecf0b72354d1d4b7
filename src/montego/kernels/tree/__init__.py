"""The tree: nodes, the papers' formulas and rules of selection, knowledge, and the search loop."""
