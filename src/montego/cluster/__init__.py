"""One search on many machines: what they tell each other, in one process or over MPI."""
