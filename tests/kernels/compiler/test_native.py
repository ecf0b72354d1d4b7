"""Calling machine code from Python: numbers, records and arrays arrive, results come back."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from typing import Any

import numpy as np
import pytest

from montego.kernels.compiler import native
from montego.kernels.compiler.jit import U, entry, kernel

PAIR = np.dtype([("small", np.int8), ("large", np.float64)], align=True)


@entry
def gather(number, real, record, array, pairs, out):
    """Write what came in to where Python sees it."""
    out[U(0)] = number
    out[U(1)] = real
    out[U(2)] = record.small
    out[U(3)] = record.large
    out[U(4)] = array.size
    out[U(5)] = array[U(array.size - 1)]
    out[U(6)] = pairs[U(1)].large
    record.small += 1


@entry
def twice(x):
    return x + x


@entry
def is_more(x, y):
    return x > y


@entry
def as_small(x):
    return np.int8(x)


@entry
def nothing(x):
    return


@entry
def count_to(n, out):
    """Count by steps that depend on each other, so that the optimiser cannot do many at once."""
    for _ in range(n):
        out[U(0)] = (out[U(0)] ^ (out[U(0)] >> 7)) * 5 + 1


@kernel
def only_for_kernels(x):
    return x


def test_everything_arrives() -> None:
    records, out = np.zeros(3, dtype=PAIR), np.zeros(7)
    records["small"], records["large"] = (5, -6, 7), (0.5, 0.25, 0.125)
    array = np.arange(9, dtype=np.int16)
    assert gather(-(2**40), 1.5, records[1], array, records, out) is None
    assert out.tolist() == [-(2**40), 1.5, -6, 0.25, 9, 8, 0.25]
    assert records["small"].tolist() == [5, -5, 7]


def test_a_record_is_where_its_array_is() -> None:
    records = np.zeros(4, dtype=PAIR)
    for i, record in enumerate(records):
        assert native.address_of(record) == records.ctypes.data + i * PAIR.itemsize


@pytest.mark.parametrize("x", [0, 7, -7, 2**61, True, np.int64(3), np.uint8(200)])
def test_whole_numbers(x: Any) -> None:
    assert twice(x) == 2 * int(x)
    assert type(twice(x)) is int


@pytest.mark.parametrize("x", [0.5, -1e300, float("inf"), np.float64(0.1)])
def test_real_numbers(x: float) -> None:
    assert twice(x) == 2 * x
    assert type(twice(x)) is float


def test_truth_and_nothing() -> None:
    assert is_more(2, 1) is True
    assert is_more(1, 2.5) is False
    assert nothing(1) is None


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((2, 2)),
        np.zeros(8)[::2],
        np.frombuffer(bytes(16), dtype=np.int64),
        np.zeros(()),
    ],
    ids=["two dimensions", "not in one piece", "read only", "no dimension"],
)
def test_arrays_that_a_kernel_does_not_take(array: Any) -> None:
    with pytest.raises(TypeError, match="a kernel takes arrays of one dimension"):
        twice(array)


@pytest.mark.parametrize("wrong", ["1", None, [1], 1j])
def test_what_is_neither_number_nor_record_nor_array(wrong: Any) -> None:
    with pytest.raises(TypeError):
        twice(wrong)


def test_a_type_of_result_that_python_would_not_understand() -> None:
    with pytest.raises(TypeError, match="as_small returns int8: not one of"):
        as_small(1)


def test_a_kernel_is_not_for_python() -> None:
    with pytest.raises(TypeError, match="only_for_kernels can only be called by compiled code"):
        only_for_kernels(1)


def turns_while_counting(to: int) -> int:
    """How often Python gets its turn while a kernel counts."""
    worker = threading.Thread(target=count_to, args=(to, np.zeros(1, dtype=np.int64)))
    worker.start()
    turns = 0
    while worker.is_alive():
        turns += 1
        time.sleep(0.001)
    return turns


def test_python_goes_on_meanwhile() -> None:
    """At most two turns if the lock were kept, however long it takes; on a busy machine others
    are served in between, so that it may have to take longer."""
    count_to(1, np.zeros(1, dtype=np.int64))
    assert any(turns_while_counting(10**8 << doubled) > 5 for doubled in range(6))


def test_code_in_a_file() -> None:
    code = native.Code("symbol", "int64", b"first line\nsecond line")
    packed = code.packed("name")
    assert native.Code.unpacked(packed, "name") == code
    assert native.Code.unpacked(packed, "other name") is None
    for i in range(len(packed)):
        flipped = packed[:i] + bytes([packed[i] ^ 1]) + packed[i + 1 :]
        assert native.Code.unpacked(flipped, "name") is None
        assert native.Code.unpacked(packed[:i], "name") is None


def test_code_that_cannot_be_linked_is_an_error_and_no_crash() -> None:
    with pytest.raises(RuntimeError):
        native.Code("symbol", "int64", b"no object file").link()


def test_compiled_kernels_are_loaded_without_the_compiler() -> None:
    """What makes a warm start quick: Numba and the search for its libraries stay away."""
    program = (
        "import sys; from montego.mcts.ready import warm_up; warm_up(); "
        "print(sorted({'numba', 'scipy'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", program]
    subprocess.run(command, capture_output=True, check=True)  # compiles what is not there
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
