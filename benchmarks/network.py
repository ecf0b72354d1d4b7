"""How fast the forward pass of a network is, beside onnxruntime with one thread.

python benchmarks/network.py [--sizes 9 19] [--networks 32x2 64x3 96x5] [--seconds 2] [--json]

Both get the same random network (17 planes, the policy alone), have to agree, and take turns; the
best time of each counts.  Operations are those of a convolution that looks at all of its taps, also
where they lie outside of the board.  Without onnxruntime and onnx there is nothing to compare with.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from montego.kernels.net.forward import forward
from montego.kernels.net.layout import write_inputs
from montego.kernels.net.network import Weights, pack
from tests.kernels.net.onnx_model import session_of
from tests.kernels.net.plain import error, new_scratch, random_planes, random_weights

PLANES = 17
TURN = 0.02
"""Seconds."""
Way = Callable[[], Any]
"""A forward pass; it returns the logits."""


def ours(weights: Weights, planes: Any) -> Way:
    network, size = pack(weights), planes.shape[1]
    scratch = new_scratch(network, size)
    write_inputs(scratch, planes)

    def run() -> Any:
        forward(network.record, scratch, size)
        return scratch[: size * size].reshape(size, size)

    return run


def onnxruntimes(weights: Weights, planes: Any) -> Way | None:
    session = session_of(weights, planes.shape[1])
    if session is None:
        return None
    inputs = {"planes": planes[None]}
    return lambda: session.run(None, inputs)[0][0, 0]


def best_times(ways: list[Way], seconds: float) -> list[float]:
    """The shortest time of each way, in seconds; they take turns."""
    best = [float("inf")] * len(ways)
    end = time.perf_counter() + seconds * len(ways)
    while time.perf_counter() < end:
        for i, way in enumerate(ways):
            turn = time.perf_counter() + TURN
            while (begin := time.perf_counter()) < turn:
                way()
                best[i] = min(best[i], time.perf_counter() - begin)
    return best


def measure(network: str, size: int, seconds: float) -> dict[str, Any]:
    """One network, such as "64x3", on one board."""
    width, blocks = map(int, network.split("x"))
    weights = random_weights(PLANES, width, blocks)
    planes = random_planes(PLANES, size)
    ways = [way for way in (ours(weights, planes), onnxruntimes(weights, planes)) if way]
    assert error(ways[0](), ways[-1]()) < 1e-4
    mine, *others = best_times(ways, seconds)
    operations = 2 * size**2 * width * (9 * (PLANES + 2 * blocks * width) + 1)
    return {
        "size": size,
        "network": network,
        "ms": round(1e3 * mine, 4),
        "gflops": round(operations / mine / 1e9, 1),
        "onnxruntime_ms": round(1e3 * others[0], 4) if others else None,
        "ratio": round(others[0] / mine, 2) if others else None,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="*", default=[9, 13, 19])
    parser.add_argument("--networks", nargs="*", default=["32x2", "64x3", "96x5"])
    parser.add_argument("--seconds", type=float, default=2.0, help="for each of the two")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    found = [measure(name, size, asked.seconds) for name in asked.networks for size in asked.sizes]
    if asked.json:
        print(json.dumps(found, indent=2))
        return
    print("network  board        ms   Gflop/s   onnxruntime ms   times its speed")
    for one in found:
        other = one["onnxruntime_ms"], one["ratio"]
        shown = f"{other[0]:>17}{other[1]:>18}" if other[0] else ""
        print(f"{one['network']:8}{one['size']:>4}x{one['size']:<3}{one['ms']:>10}"
              f"{one['gflops']:>10}{shown}")  # fmt: skip


if __name__ == "__main__":
    main()
