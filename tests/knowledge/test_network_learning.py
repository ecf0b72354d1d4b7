"""Networks learned from games: planes, symmetries, the course, the file; all but the first part
needs PyTorch."""

from __future__ import annotations

import json
from dataclasses import asdict
from itertools import pairwise
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


def write_games(folder: Path) -> Path:
    """A file of random games."""
    from montego.go import Position, sgf

    games, texts = folder / "games.sgfs", []
    for moves in random_games(12, seed=2):
        position = Position.start(7)
        for _, move in moves:
            position = position.play(move)
        texts.append(" ".join(sgf.dumps(sgf.GameRecord(position)).split("\n")))
    games.write_text("\n".join(texts))
    return games


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
def test_norms_settle_before_the_end() -> None:
    """What is folded in at the end is what the last quarter of the steps was learned with."""
    device = torch.device("cpu")
    course = Course(16, 1, 100, 8)
    taught = learning.Learning(course, [learning.Shelf.of(some_examples(), device)], device)
    means = []

    def watch(now: Any) -> None:
        means.append(now.tower.stem.norm.running_mean.clone())

    while taught.step < course.steps:
        taught._take_step()
        watch(taught)
    assert all((one != other).any() for one, other in pairwise(means[:75]))
    assert all((one == means[74]).all() for one in means[74:])


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
    games, out = write_games(tmp_path), tmp_path / "n.npz"
    arguments = [str(games), "--size", "7", "--network", "16x1", "--steps", "20", "--batch", "8",
                 "--device", "cpu", "--out", str(out), "--json"]  # fmt: skip
    result = CliRunner().invoke(cli.app, ["learn", *arguments])
    assert result.exit_code == 0, result.output
    manifest = json.loads(result.output)
    network = Network.load(out)
    assert (network.width, network.blocks) == (16, 1)
    assert network.manifest == manifest
    assert manifest["course"] == asdict(Course(16, 1, steps=20, batch=8)) | {"plays": []}
    assert manifest["accuracy"]["7"]["test_games"] == 1
    assert not list(tmp_path.glob("*.training"))
    examined = ["--size", "7", "--network", str(out), str(games), "--json"]
    result = CliRunner().invoke(cli.app, ["examine", *examined])
    assert json.loads(result.output)["test_games"] == 12


# --- values ----------------------------------------------------------------------------


def outcomes_of(size: int, count: int, seed: int = 1) -> Any:
    from montego.knowledge.network import find_network
    from montego.knowledge.self_play import play_games
    from montego.knowledge.tower import Tower
    from montego.mcts.playouts import KINDS

    tower = Tower.of(find_network("32x2"))
    return play_games(tower, size, count, KINDS["expert"].record(), seed, threads=2)


@needs_torch
def test_a_network_in_pytorch_is_what_plays() -> None:
    from montego.knowledge.network import find_network, packed
    from montego.knowledge.tower import Tower
    from tests.kernels.net.plain import compiled_forward

    network, examples = find_network("32x2"), some_examples()
    with torch.no_grad():
        expected = Tower.of(network)(torch.from_numpy(examples.planes(9))[None])[0].numpy()
    found, _ = compiled_forward(packed(network), examples.planes(9))
    assert np.allclose(found.ravel(), expected, rtol=1e-4, atol=1e-4)


@needs_torch
def test_games_of_a_network_against_itself() -> None:
    outcomes = outcomes_of(7, 40)
    examples = outcomes.examples
    assert len(outcomes) == len(examples) > 100
    assert outcomes.scores.shape == (40, 8)
    assert outcomes.owners.shape == (40, 49)
    assert np.abs(outcomes.owners).max() == 8
    assert (outcomes.owners.sum(axis=1) == outcomes.scores.sum(axis=1)).all()
    own_stones = ((examples.codes > 0) & (examples.codes < 5)).sum(axis=1)
    assert own_stones[examples.numbers > 20].min() > 3
    assert (np.diff(np.unique(outcomes.games)) >= 1).all()
    assert 0.1 < (outcomes.scores > 7.5).mean() < 0.9


@needs_torch
def test_ends_are_seen_by_who_moves_and_turned() -> None:
    outcomes = outcomes_of(7, 20)
    ends = learning.Ends.of(outcomes, torch.device("cpu"))
    chosen, turn = torch.arange(len(outcomes)), 3
    komi = torch.full((len(outcomes),), 4.5)
    _, given, chance, owners = ends.batch(chosen, torch.full_like(chosen, turn), komi)
    points = learning.symmetries(7)[turn].numpy()
    for i in range(len(outcomes)):
        side = 1 if outcomes.examples.numbers[i] % 2 == 0 else -1
        scores = side * (outcomes.scores[outcomes.games[i]] - 4.5)
        assert given[i] == side * 4.5
        assert chance[i] == pytest.approx((scores > 0).mean())
        assert np.allclose(owners[i].numpy(), side * outcomes.owners[outcomes.games[i]][points] / 8)


@needs_torch
def test_a_value_is_learned_and_is_what_plays(tmp_path: Path) -> None:
    from montego.knowledge.network import packed
    from tests.kernels.net.plain import compiled_forward

    device, outcomes = torch.device("cpu"), outcomes_of(7, 30)
    ends = learning.Ends.of(outcomes, device)
    course = Course(width=16, blocks=1, steps=150, batch=64)
    taught = learning.Learning(course, [learning.Shelf.of(some_examples(), device)], device, [ends])
    taught.learn()
    assert taught.curve[-1][1] < taught.curve[0][1] - 0.3
    taught.tower.eval()
    taught.tower.network({}, with_value=True).save(tmp_path / "n.npz")
    network = packed(Network.load(tmp_path / "n.npz"))
    with torch.no_grad():
        for i, komi in enumerate((-7.5, 0.0, 7.5)):
            planes = outcomes.examples.planes(i)
            given = torch.full((1,), komi)
            expected, _ = taught.tower.judge(torch.from_numpy(planes)[None], given)
            _, value = compiled_forward(network, planes, komi)
            assert value == pytest.approx(float(torch.tanh(expected)), abs=0.01)  # 16 bits


@needs_torch
def test_the_command_plays_games_and_learns_who_wins(tmp_path: Path) -> None:
    games, out = write_games(tmp_path), tmp_path / "n.npz"
    arguments = [str(games), "--size", "7", "--network", "16x1", "--steps", "20", "--batch", "8",
                 "--play", "7:20", "--play", "9:10", "--teacher", "32x2", "--device", "cpu",
                 "--out", str(out), "--json"]  # fmt: skip
    result = CliRunner().invoke(cli.app, ["learn", *arguments])
    assert result.exit_code == 0, result.output
    manifest = json.loads(result.output)
    assert manifest["course"]["plays"] == [[7, 20], [9, 10]]
    assert set(manifest["value"]) == {"7", "9"}
    assert 0.0 <= manifest["value"]["7"]["right"] <= 1.0
    assert set(Network.load(out).value) > {"value_weights"}
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("n.npz")] == ["n.npz"]


@needs_torch
def test_games_are_kept_for_another_network(tmp_path: Path) -> None:
    """The second course finds them; a damaged file is refused; another teacher plays anew."""
    from rich.progress import Progress

    from montego.knowledge.played import play_all
    from montego.mcts.playouts import KINDS

    def played(**other: Any) -> list[Any]:
        course = Course(plays=((5, 30), (7, 20)), **{"teacher": "32x2"} | other)
        judge, place = KINDS["expert"].record(), torch.device("cpu")
        return play_all(course, tmp_path, judge, place, Progress(disable=True))

    first = played()
    files = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*/*")}
    again = played(width=16)
    assert {path.name for path in files} == {
        "5-30-0.npz", "5-1-1000000.npz", "7-20-0.npz", "7-1-1000000.npz"
    }  # fmt: skip
    assert {path: path.stat().st_mtime_ns for path in tmp_path.glob("*/*")} == files
    for (lessons, test), (same, _), size, games in zip(first, again, (5, 7), (30, 20), strict=True):
        assert (lessons.examples.size, len(lessons.scores), len(test.scores)) == (size, games, 1)
        assert np.array_equal(lessons.examples.codes, same.examples.codes)
        assert np.array_equal(lessons.owners, same.owners)
    played(seed=1)
    played(teacher="64x3")
    assert len(list(tmp_path.iterdir())) == 2
    assert len(list(tmp_path.glob("*/*"))) == 12
    next(iter(files)).write_bytes(b"nothing")
    with pytest.raises(ValueError, match="is damaged; remove it"):
        played()


@needs_torch
def test_games_are_stopped_when_one_of_them_fails(tmp_path: Path) -> None:
    """Ctrl-C does not wait for the end of all games."""
    from montego.knowledge import played
    from montego.mcts.playouts import KINDS

    class Interrupted:
        """A progress bar that is stopped by the user after some moves."""

        turns = 0

        def add_task(self, *_: Any, **__: Any) -> int:
            return 0

        def advance(self, *_: Any) -> None:
            self.turns += 1
            if self.turns == 10:
                raise KeyboardInterrupt

    bar: Any = Interrupted()
    course = Course(plays=((19, 4), (13, 4)), teacher="32x2")
    place = torch.device("cpu")
    with pytest.raises(KeyboardInterrupt):
        played.play_all(course, tmp_path, KINDS["expert"].record(), place, bar)
    assert bar.turns < 100
    assert not list(tmp_path.glob("*/*"))


@needs_torch
def test_playouts_agree_who_has_won_when_a_game_is_stopped() -> None:
    from montego.knowledge.network import find_network
    from montego.knowledge.self_play import play_games
    from montego.knowledge.tower import Tower
    from montego.mcts.playouts import KINDS

    tower = Tower.of(find_network("32x2"))
    outcomes = play_games(tower, 9, 40, KINDS["expert"].record(), seed=3)
    assert np.abs(np.sign(outcomes.scores - 7.5).mean(axis=1)).mean() > 0.95
    assert outcomes.examples.numbers.max() < 0.85 * 81


@pytest.mark.parametrize("text", ["9", "9:", ":5", "9:0", "x:5", "30:5", "9:-1"])
def test_games_that_cannot_be_played_are_refused(tmp_path: Path, text: str) -> None:
    arguments = ["learn", "games.sgf", "--play", text, "--out", str(tmp_path / "n.npz")]
    result = CliRunner().invoke(cli.app, arguments)
    assert result.exit_code == 2
    assert "--play" in result.output or "not a board size" in result.output


def test_a_value_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    from dataclasses import replace

    from montego.knowledge.network import find_network
    from tests.mcts.test_network import with_value

    path = with_value(tmp_path)
    sound = Network.load(path)
    narrow = dict(sound.value, value_weights=np.zeros((16, 31), np.float32))
    replace(sound, value=narrow).save(path)
    with pytest.raises(ValueError, match="another kind"):
        Network.load(path)
    moves_alone = replace(find_network("32x2"), value={})
    moves_alone.save(path)
    assert Network.load(path).value == {}
