"""Networks learned from games: planes, symmetries, the course, the file; all but the first part
needs PyTorch."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from montego import cli
from montego.knowledge.course import Course
from montego.knowledge.examples import Examples, examples_of
from montego.knowledge.network import Network
from tests.knowledge.test_learning import random_games
from tests.mcts.test_network import naive_planes
from tests.positions import playable, random_position

try:
    import torch

    from montego.knowledge import network_learning as learning
except ImportError:
    torch = None
needs_torch = pytest.mark.skipif(torch is None, reason="PyTorch is not installed")


def some_examples(size: int = 7) -> Examples:
    return examples_of(random_games(6, seed=1), size)


def test_planes_of_an_example_are_those_of_its_position() -> None:
    position = random_position(9, 30, seed=4)
    after = position.play(playable(position)[0])
    examples = examples_of([after.moves], 9)
    assert np.allclose(examples.planes(len(examples) - 1), naive_planes(position), atol=0.01)


@pytest.mark.skipif(torch is not None, reason="PyTorch is installed")
def test_without_pytorch_the_command_says_what_to_install(tmp_path: Path) -> None:
    arguments = ["learn", "games.sgf", "--network", "32x1", "--out", str(tmp_path / "n.npz")]
    result = CliRunner().invoke(cli.app, arguments)
    assert result.exit_code != 0
    assert "pip install 'montego[train]'" in str(result.exception)


@needs_torch
def test_planes_are_the_same_in_pytorch() -> None:
    examples = some_examples()
    shelf = learning.Shelf.of(examples, torch.device("cpu"))
    chosen = torch.arange(len(examples))
    planes, is_free, targets = shelf.batch(chosen, torch.zeros_like(chosen))
    for i in range(len(examples)):
        assert np.allclose(planes[i].numpy(), examples.planes(i), atol=1e-6)
        assert targets[i] == examples.targets[i]
    assert np.array_equal(is_free.numpy(), examples.codes == 0)


@needs_torch
@pytest.mark.parametrize("turn", range(8))
def test_a_position_is_turned_with_its_move(turn: int) -> None:
    examples = some_examples()
    shelf = learning.Shelf.of(examples, torch.device("cpu"))
    chosen = torch.arange(len(examples))
    planes, _, targets = shelf.batch(chosen, torch.full_like(chosen, turn))
    points = learning.symmetries(7)[turn].numpy()
    for i in range(len(examples)):
        expected = examples.planes(i).reshape(-1, 49)[:, points].reshape(-1, 7, 7)
        assert np.allclose(planes[i].numpy(), expected, atol=1e-6)
        assert points[targets[i]] == examples.targets[i]


@needs_torch
def test_what_was_learned_is_what_plays() -> None:
    """Batch norm folded in, and the forward pass of our own: the same to 1e-4."""
    from montego.knowledge.network import packed
    from tests.kernels.net.plain import compiled_forward

    examples, device = some_examples(), torch.device("cpu")
    course = Course(width=16, blocks=2, steps=30, batch=16)
    taught = learning.Learning(course, [learning.Shelf.of(examples, device)], device)
    taught.learn()
    taught.tower.eval()
    network = packed(taught.tower.network({}))
    with torch.no_grad():
        for i in range(20):
            planes = examples.planes(i)
            expected = taught.tower(torch.from_numpy(planes)[None])[0].numpy()
            found, _ = compiled_forward(network, planes)
            assert np.allclose(found.ravel(), expected, rtol=1e-4, atol=1e-4)


@needs_torch
def test_a_course_that_was_stopped_ends_as_one_that_was_not(tmp_path: Path) -> None:
    device = torch.device("cpu")
    shelves = [learning.Shelf.of(some_examples(), device)]
    course = Course(width=16, blocks=1, steps=100, batch=8)
    whole = learning.Learning(course, shelves, device)
    whole.learn()

    def stop(now: Any) -> None:
        if now.step == 50:
            now.save(tmp_path / "kept")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learning.Learning(course, shelves, device).learn(stop)
    resumed = learning.Learning(course, shelves, device)
    resumed.resume(tmp_path / "kept")
    assert resumed.step == 50
    resumed.learn()
    assert [step for step, _ in resumed.curve] == [50, 100]
    assert np.array_equal(resumed.tower.network({}).layers, whole.tower.network({}).layers)
    other = learning.Learning(Course(16, 1, 99, 8), shelves, device)
    with pytest.raises(ValueError, match="of another course"):
        other.resume(tmp_path / "kept")
    (tmp_path / "kept").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="cannot be resumed"):
        resumed.resume(tmp_path / "kept")


@needs_torch
def test_the_rate_rises_and_falls() -> None:
    device = torch.device("cpu")
    course = Course(16, 1, 100, 8)
    taught = learning.Learning(course, [learning.Shelf.of(some_examples(), device)], device)
    rates = [taught.rate_at(step) for step in range(100)]
    assert max(rates) == pytest.approx(course.rate, rel=0.01)
    assert rates[:5] == sorted(rates[:5])
    assert rates[5:] == sorted(rates[5:], reverse=True)
    assert rates[-1] < 0.01 * course.rate


@needs_torch
def test_the_command(tmp_path: Path) -> None:
    from montego.go import Position, sgf

    games = tmp_path / "games.sgfs"
    texts = []
    for moves in random_games(12, seed=2):
        position = Position.start(7)
        for _, move in moves:
            position = position.play(move)
        texts.append(" ".join(sgf.dumps(sgf.GameRecord(position)).split("\n")))
    games.write_text("\n".join(texts))
    out = tmp_path / "n.npz"
    arguments = [str(games), "--size", "7", "--network", "16x1", "--steps", "20", "--batch", "8",
                 "--device", "cpu", "--out", str(out), "--json"]  # fmt: skip
    result = CliRunner().invoke(cli.app, ["learn", *arguments])
    assert result.exit_code == 0, result.output
    manifest = json.loads(result.output)
    network = Network.load(out)
    assert (network.width, network.blocks) == (16, 1)
    assert network.manifest == manifest
    assert manifest["course"] == asdict(Course(16, 1, steps=20, batch=8))
    assert manifest["accuracy"]["7"]["test_games"] == 1
    assert not list(tmp_path.glob("*.training"))
    examined = ["--size", "7", "--network", str(out), str(games), "--json"]
    result = CliRunner().invoke(cli.app, ["examine", *examined])
    assert json.loads(result.output)["test_games"] == 12
