"""Arrays that begin on a cache line."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from montego.kernels.compiler.aligned import CACHE_LINE, empty_aligned

RECORD = np.dtype([("a", np.int64), ("b", np.int8)])


@pytest.mark.parametrize("dtype", [np.uint8, np.complex64, np.complex128, RECORD])
@pytest.mark.parametrize("shape", [1, 7, 4096, (3, 5), (0, 4)])
def test_it_begins_on_a_cache_line_and_is_writeable(shape: Any, dtype: Any) -> None:
    arrays = [empty_aligned(shape, dtype) for _ in range(5)]
    for number, array in enumerate(arrays):
        array[...] = number
        assert array.shape == (shape if isinstance(shape, tuple) else (shape,))
        assert array.dtype == dtype
        assert array.ctypes.data % CACHE_LINE == 0 or array.size == 0
        assert array.flags.carray
    for number, array in enumerate(arrays):  # none overlaps another
        assert (array == np.full(shape, number, dtype)).all()
