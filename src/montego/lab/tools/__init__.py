"""Tools round the engine: regression tests, reviews, tuning, and predicting moves."""
