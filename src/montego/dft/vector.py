"""Vectors of complex numbers in LLVM IR.

LLVM's own vectoriser leaves codelets larger than four scalar, so we emit vector code ourselves (see
kernels/compiler/vector.py).  A complex vector is a pair of vectors; in memory it is either

* interleaved, as in NumPy: re im re im …, or
* chunked: as many real parts as there are lanes, then their imaginary parts.

Both take the same bytes, so strides are the same in both.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from montego.kernels.compiler.vector import Lanes

COMPLEX: dict[str, np.dtype[Any]] = {
    "double": np.dtype(np.complex128),
    "single": np.dtype(np.complex64),
}
Complex = tuple[Any, Any]


class ComplexLanes(Lanes):
    """Emits code for vectors of complex numbers of one precision and width."""

    def load_complex(self, address: Any, interleaved: bool) -> Complex:
        if self.width == 1 or not interleaved:
            return self.load(address), self.load(self.address(address, self.size))
        first, second = self.load(address), self.load(self.address(address, self.size))
        both = range(2 * self.width)
        return self.shuffle(first, second, both[0::2]), self.shuffle(first, second, both[1::2])

    def store_complex(
        self, value: Complex, address: Any, interleaved: bool, streaming: bool = False
    ) -> None:
        first, second = value
        if interleaved and self.width > 1:
            both = [i for pair in zip(range(self.width), range(self.width, 2 * self.width),
                                      strict=True) for i in pair]  # fmt: skip
            first, second = (
                self.shuffle(*value, both[: self.width]),
                self.shuffle(*value, both[self.width :]),
            )
        self.store(first, address, streaming)
        self.store(second, self.address(address, self.size), streaming)

    def times(self, z: Complex, w: Complex) -> Complex:
        """z·w."""
        b, (x, y), (c, s) = self.builder, z, w
        real = self.fma(x, c, b.fneg(b.fmul(y, s)))
        return real, self.fma(x, s, b.fmul(y, c))
