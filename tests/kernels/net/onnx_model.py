"""The same network for onnxruntime, where that is installed."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np

from montego.kernels.net.network import Weights


def session_of(weights: Weights, size: int) -> Any:
    """A session with one thread; None without onnxruntime and onnx."""
    if not (find_spec("onnxruntime") and find_spec("onnx")):
        return None
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    model = model_of(weights, size).SerializeToString()
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def model_of(weights: Weights, size: int) -> Any:
    """The network as an ONNX model: planes [1, planes, size, size], logits [1, 1, size, size]."""
    from onnx import TensorProto, helper, numpy_helper

    nodes, arrays = [*nodes_of(weights)], dict(arrays_of(weights))
    shapes = {"planes": [1, weights.planes, size, size], "logits": [1, 1, size, size]}
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
            for name, shape in shapes.items()]  # fmt: skip
    tensors = [numpy_helper.from_array(np.ascontiguousarray(array, np.float32), name)
               for name, array in arrays.items()]  # fmt: skip
    graph = helper.make_graph(nodes, "network", ends[:1], ends[1:], tensors)
    opset = helper.make_opsetid("", 17)
    return helper.make_model(graph, opset_imports=[opset], ir_version=8)


def arrays_of(weights: Weights) -> Iterator[tuple[str, Any]]:
    layers = [weights.stem, *(layer for block in weights.blocks for layer in block)]
    for i, layer in enumerate(layers):
        yield f"w{i}", layer.weights
        yield f"b{i}", layer.biases
    yield "wp", weights.policy_weights.reshape(1, -1, 1, 1)
    yield "bp", np.array([weights.policy_bias])


def nodes_of(weights: Weights) -> Iterator[Any]:
    from onnx.helper import make_node

    def convolution(i: int, source: str) -> Any:
        names = [source, f"w{i}", f"b{i}"]
        return make_node("Conv", names, [f"c{i}"], kernel_shape=[3, 3], pads=[1] * 4)

    yield convolution(0, "planes")
    yield make_node("Relu", ["c0"], ["x0"])
    for i in range(1, 2 * len(weights.blocks), 2):
        yield convolution(i, f"x{i - 1}")
        yield make_node("Relu", [f"c{i}"], [f"x{i}"])
        yield convolution(i + 1, f"x{i}")
        yield make_node("Add", [f"c{i + 1}", f"x{i - 1}"], [f"s{i}"])
        yield make_node("Relu", [f"s{i}"], [f"x{i + 1}"])
    end = f"x{2 * len(weights.blocks)}"
    yield make_node("Conv", [end, "wp", "bp"], ["logits"], kernel_shape=[1, 1])
