"""Kernels that only kernels call, made callable for tests."""

from __future__ import annotations

from typing import Any

import numba


def exposed(kernel: Any) -> Any:
    """A compiled function that Python may call and that does nothing but call the kernel."""

    @numba.njit
    def call(*arguments):
        return kernel(*arguments)

    return call
