"""The forward pass against a plain one, on every size of board and for other processors."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from montego.kernels.compiler.address import call_network, floats_at
from montego.kernels.compiler.jit import U, entry
from montego.kernels.compiler.vector import register_bits
from montego.kernels.net.forward import clear_inputs, forward
from montego.kernels.net.layout import (
    INPUT_AT,
    KOMI_AT,
    POINTS,
    VALUE_AT,
    input_at,
    write_inputs,
)
from montego.kernels.net.network import NETWORK, Convolution, Weights, pack
from tests.kernels.net.plain import (
    Array,
    compiled_forward,
    error,
    new_scratch,
    plain_forward,
    random_planes,
    random_weights,
)

SIZES = range(2, 20)
CLOSE = 1e-5


# --- right -----------------------------------------------------------------------------


@pytest.mark.parametrize("width", [16, 32, 48, 64, 96])
@pytest.mark.parametrize("size", SIZES)
def test_logits_are_those_of_plain_sums(size: int, width: int) -> None:
    weights, planes = random_weights(17, width, 2), random_planes(17, size)
    logits, value = compiled_forward(pack(weights), planes)
    assert error(logits, plain_forward(weights, planes)[0]) < CLOSE
    assert value == 0.0


@pytest.mark.parametrize(
    ("planes", "width", "blocks"), [(1, 32, 1), (16, 32, 0), (33, 20, 1), (5, 7, 2), (17, 128, 5)]
)
def test_any_shape_of_a_network(planes: int, width: int, blocks: int) -> None:
    weights, seen = random_weights(planes, width, blocks), random_planes(planes, 9)
    assert error(compiled_forward(pack(weights), seen)[0], plain_forward(weights, seen)[0]) < CLOSE


@pytest.mark.parametrize("komi", [-7.5, 0.0, 6.5])
@pytest.mark.parametrize("sums", [1, 8, 40])
@pytest.mark.parametrize(("size", "width"), [(2, 32), (9, 64), (13, 40), (19, 32)])
def test_the_value(size: int, width: int, sums: int, komi: float) -> None:
    weights, planes = random_weights(17, width, 1, sums), random_planes(17, size)
    logits, value = compiled_forward(pack(weights), planes, komi)
    expected, its_value = plain_forward(weights, planes, komi)
    assert error(logits, expected) < CLOSE
    assert value == pytest.approx(its_value, abs=CLOSE)
    assert 0.01 < abs(value) < 0.999  # neither nothing nor the end of the scale


def transformed(x: Array, turns: int, is_mirrored: bool) -> Array:
    x = np.rot90(x, turns, (-2, -1))
    return x[..., ::-1] if is_mirrored else x


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 3), st.booleans(), st.sampled_from(SIZES), st.integers(0, 9))
def test_a_turned_board_with_turned_weights_gives_turned_logits(
    turns: int, is_mirrored: bool, size: int, seed: int
) -> None:
    def turned(layer: Convolution) -> Convolution:
        return Convolution(transformed(layer.weights, turns, is_mirrored), layer.biases)

    weights, planes = random_weights(5, 32, 1, seed=seed), random_planes(5, size, seed)
    blocks = [(turned(one), turned(other)) for one, other in weights.blocks]
    others = Weights(turned(weights.stem), blocks, weights.policy_weights, weights.policy_bias)
    logits, _ = compiled_forward(pack(weights), planes)
    found, _ = compiled_forward(pack(others), transformed(planes, turns, is_mirrored))
    assert error(found, transformed(logits, turns, is_mirrored)) < CLOSE


def test_against_pytorch() -> None:
    torch = pytest.importorskip("torch")

    def convolved(x: Any, weights: Array, biases: Array, padding: int) -> Any:
        parts = (torch.tensor(np.ascontiguousarray(part)) for part in (weights, biases))
        return torch.nn.functional.conv2d(x, *parts, padding=padding)

    weights, planes = random_weights(17, 64, 3), random_planes(17, 13)
    stem = weights.stem
    x = torch.tensor(planes[None].astype(np.float64))
    x = convolved(x, stem.weights, stem.biases, 1).relu()
    for one, other in weights.blocks:
        y = convolved(x, one.weights, one.biases, 1).relu()
        x = (convolved(y, other.weights, other.biases, 1) + x).relu()
    policy = weights.policy_weights.reshape(1, -1, 1, 1)
    logits = convolved(x, policy, np.array([weights.policy_bias]), 0)[0, 0].numpy()
    assert error(compiled_forward(pack(weights), planes)[0], logits) < CLOSE


# --- scratch space ---------------------------------------------------------------------


def test_nothing_is_left_from_another_board() -> None:
    network = pack(weights := random_weights(17, 32, 1, 3))
    scratch = new_scratch(network, 19)
    for size in (19, 2, 13, 9, 19, 5):
        planes = random_planes(17, size, seed=size)
        write_inputs(scratch, planes)
        forward(network.record, scratch, size)
        found = scratch[: size * size].reshape(size, size)
        assert error(found, plain_forward(weights, planes)[0]) < CLOSE


def test_nothing_is_written_outside_of_scratch_space() -> None:
    network = pack(random_weights(17, 48, 1, 2))
    for size in SIZES:
        scratch = new_scratch(network, size)
        guarded = np.full(len(scratch) + 1024, 7.0, np.float32)
        inner = guarded[512 : 512 + len(scratch)]
        write_inputs(inner, random_planes(17, size))
        forward(network.record, inner, size)
        assert (guarded[:512] == 7).all()
        assert (guarded[512 + len(scratch) :] == 7).all()


def test_scratch_spaces_of_two_threads_are_apart() -> None:
    network = pack(random_weights(17, 64, 3, 4))
    boards = [random_planes(17, size, seed) for seed in range(8) for size in (9, 19)]
    alone = [compiled_forward(network, planes) for planes in boards]
    with ThreadPoolExecutor(2) as pool:
        together = list(pool.map(lambda planes: compiled_forward(network, planes), boards * 4))
    for (logits, value), (expected, its_value) in zip(together, alone * 4, strict=True):
        assert (logits == expected).all()
        assert value == its_value


@entry
def write_one(scratch, row, column, plane):
    """As a caller writes its input."""
    scratch[U(input_at(row, column, plane))] = np.float32(1.0)


@pytest.mark.parametrize("size", [2, 9, 19])
def test_callers_write_their_input_point_by_point(size: int) -> None:
    network = pack(random_weights(17, 32, 1))
    planes = random_planes(17, size)
    planes = (planes > 0).astype(np.float32)
    scratch = new_scratch(network, size)
    clear_inputs(network.record, scratch)
    for plane, row, column in zip(*np.nonzero(planes), strict=True):
        write_one(scratch, row, column, plane)
    forward(network.record, scratch, size)
    found = scratch[: size * size].reshape(size, size)
    assert (found == compiled_forward(network, planes)[0]).all()


def test_clearing_leaves_the_results_alone() -> None:
    network = pack(random_weights(17, 32, 1))
    scratch = new_scratch(network, 9)
    scratch[:] = 3.0
    clear_inputs(network.record, scratch)
    end = INPUT_AT + 2 * 16 * POINTS
    assert (scratch[:INPUT_AT] == 3).all()
    assert (scratch[INPUT_AT:end] == 0).all()
    assert (scratch[end:] == 3).all()


# --- from compiled code ----------------------------------------------------------------


@entry
def evaluate(E, address, scratch, length, size):
    """As a search calls a network: by the address of its code, with that of a scratch space."""
    return call_network(address, E, floats_at(scratch, length), size)


@entry
def evaluate_at(network, address, scratch, length, size):
    """The same by the address of the network."""
    return call_network(address, network, floats_at(scratch, length), size)


def test_compiled_code_calls_it_by_its_address() -> None:
    network, planes = pack(random_weights(17, 32, 2, 4)), random_planes(17, 9)
    logits, value = compiled_forward(network, planes)
    scratch = new_scratch(network, 9)
    write_inputs(scratch, planes)
    code = forward.address(NETWORK, (np.dtype(np.float32),), int)
    for function, argument in ((evaluate, network.record), (evaluate_at, network.address)):
        scratch[: VALUE_AT + 1] = np.nan
        scratch[KOMI_AT] = 0.0
        assert function(argument, code, scratch.ctypes.data, len(scratch), 9) == value
        assert (scratch[:81].reshape(9, 9) == logits).all()


# --- weights ---------------------------------------------------------------------------


def test_weights_begin_on_cache_lines() -> None:
    record = pack(random_weights(17, 48, 2, 3)).record
    named = [np.ravel(record[name]) for name in ("stem", "tower", "policy", "value")]
    addresses = np.concatenate(named).tolist()
    assert all(address % 64 == 0 for address in addresses)
    assert all(one < other for one, other in pairwise(addresses))


@pytest.mark.parametrize("part", ["stem", "first", "second", "policy"])
def test_wrong_shapes_are_refused(part: str) -> None:
    right, wrong = random_weights(17, 32, 1), random_weights(17, 16, 1)
    (one, other), (narrow, narrow_too) = right.blocks[0], wrong.blocks[0]
    stem = Convolution(wrong.stem.weights, right.stem.biases) if part == "stem" else right.stem
    block = (narrow if part == "first" else one, narrow_too if part == "second" else other)
    policy = (wrong if part == "policy" else right).policy_weights
    with pytest.raises(ValueError, match="shape"):
        Weights(stem, [block], policy, 0.0)


# --- other processors ------------------------------------------------------------------

OTHER_MACHINE = """
from montego.kernels.net.layout import REGISTERS
from montego.kernels.net.network import pack
from tests.kernels.net.plain import *
print(REGISTERS.vectors, REGISTERS.tiles)
for width in (32, 48):
    weights = random_weights(17, width, 1, 3)
    for size in range(2, 20):
        planes = random_planes(17, size)
        (logits, value), (expected, its_value) = (
            compiled_forward(pack(weights), planes), plain_forward(weights, planes))
        assert error(logits, expected) < 1e-5, size
        assert abs(value - its_value) < 1e-5, size
"""


@pytest.mark.parametrize(
    ("name", "features", "said"),
    [
        pytest.param(
            "haswell", "+avx,+avx2,+fma", "1 6",
            marks=pytest.mark.skipif(register_bits() < 256, reason="has no AVX"),
        ),
        pytest.param("nocona", "+sse2", "1 3", marks=pytest.mark.slow),
        pytest.param("generic", "", "1 3", marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_other_machines(name: str, features: str, said: str) -> None:
    root = Path(__file__).parents[3]
    environment = os.environ | {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": features}
    done = subprocess.run([sys.executable, "-c", OTHER_MACHINE], env=environment, cwd=root,
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == said
