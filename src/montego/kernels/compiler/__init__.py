"""From a function to machine code: compiling, loading, the cache; atomics, random numbers."""
