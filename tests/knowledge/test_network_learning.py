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
from montego.knowledge.network import Network, find_network
from tests.knowledge.against_itself import needs_torch, outcomes_of, shipped_tower, torch
from tests.knowledge.test_learning import random_games
from tests.mcts.test_network import naive_planes
from tests.positions import playable, random_position

if torch is not None:
    from montego.knowledge import network_learning as learning


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


@needs_torch
def test_a_network_in_pytorch_is_what_plays() -> None:
    from montego.knowledge.network import packed
    from tests.kernels.net.plain import compiled_forward

    network, examples = find_network("32x2"), some_examples()
    with torch.no_grad():
        expected = shipped_tower()(torch.from_numpy(examples.planes(9))[None])[0].numpy()
    found, _ = compiled_forward(packed(network), examples.planes(9))
    assert np.allclose(found.ravel(), expected, rtol=1e-4, atol=1e-4)


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
            expected, _, _ = taught.tower.judge(torch.from_numpy(planes)[None], given)
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
def test_better_moves_are_turned_with_their_position() -> None:
    outcomes = outcomes_of(7, 10, ahead=4)
    ends = learning.Ends.of(outcomes, torch.device("cpu"))
    chosen, turn = torch.arange(len(outcomes)), 5
    points, chances = ends.better_moves(chosen, torch.full_like(chosen, turn))
    sources = learning.symmetries(7)[turn].numpy()
    for i in range(len(outcomes)):
        for point, move in zip(points[i].tolist(), outcomes.candidates[i], strict=True):
            assert sources[point] == max(move, 0)
        assert np.array_equal(chances[i].numpy(), outcomes.chances[i].astype(np.float32))


@needs_torch
def test_a_guess_is_drawn_towards_chances() -> None:
    """The loss of a position is least where candidates have their chances, and the others
    together what is left."""
    logits = torch.zeros(1, 6, requires_grad=True)
    points, chances = torch.tensor([[4, 1]]), torch.tensor([[0.5, 0.2]])
    steps = torch.optim.Adam([logits], lr=0.05)
    for _ in range(500):
        steps.zero_grad()
        learning.loss_of_chances(logits, points, chances).backward()
        steps.step()
    guess = torch.softmax(logits, dim=1)[0].tolist()
    assert guess == pytest.approx([0.075, 0.2, 0.075, 0.075, 0.5, 0.075], abs=0.01)


@needs_torch
def test_a_network_that_learns_on_begins_as_it_was() -> None:
    network = find_network("32x2")
    learns = learning.Learning(Course(32, 2, start="32x2"), [], torch.device("cpu"))
    found = learns.tower.network({}, with_value=True)
    for name, array in network.arrays().items():
        assert np.allclose(found.arrays()[name], array, atol=1e-6), name
    with pytest.raises(ValueError, match="32x2 is 32x2, not 16x2"):
        learning.Learning(Course(16, 2, start="32x2"), [], torch.device("cpu"))


IN_GENERATIONS = (
    "learn --network 32x2 --start 32x2 --teacher 32x2 --play 5:40 --ahead 3 --generations 3 "
    "--steps 30 --batch 16 --rate 1e-4 --device cpu --json --out"
)


@needs_torch
def test_the_command_learns_in_generations_and_resumes(tmp_path: Path) -> None:
    """Stopped while the third generation plays or learns, it ends as one that was not stopped."""
    from montego.knowledge import played

    result = CliRunner().invoke(cli.app, [*IN_GENERATIONS.split(), str(tmp_path / "whole.npz")])
    assert result.exit_code == 0, result.output
    manifest = json.loads(result.output)
    assert (manifest["games"], manifest["data"]) == (0, [])
    assert manifest["course"]["generations"] == 3
    assert [step for step, _ in manifest["curve"]] == [10, 20, 30]
    whole = Network.load(tmp_path / "whole.npz")
    assert np.abs(whole.layers - find_network("32x2").layers).max() > 1e-4

    def stop_at(kind: type, name: str, call: int) -> None:
        with pytest.MonkeyPatch.context() as patch:
            calls, method = [], getattr(kind, name)

            def stopped(*arguments: Any, **others: Any) -> Any:
                calls.append(1)
                if len(calls) == call:
                    raise KeyboardInterrupt
                return method(*arguments, **others)

            patch.setattr(kind, name, stopped)
            result = CliRunner().invoke(cli.app, [*IN_GENERATIONS.split(), str(tmp_path / "n.npz")])
            assert result.exit_code == 130, result.output
            assert "the same command resumes" in result.output

    stop_at(played.Play, "of", 5)  # two calls a generation
    stop_at(learning.Learning, "_take_step", 5)
    result = CliRunner().invoke(cli.app, [*IN_GENERATIONS.split(), str(tmp_path / "n.npz")])
    assert result.exit_code == 0, result.output
    resumed = Network.load(tmp_path / "n.npz")
    for name, array in whole.arrays().items():
        assert np.array_equal(resumed.arrays()[name], array), name
    assert sorted(path.name for path in tmp_path.iterdir()) == ["n.npz", "whole.npz"]


@needs_torch
@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("--network 32x2 --ahead 4", "--play"),
        ("games.sgf --network 32x2 --generations 2", "--play"),
        ("--network 32x2 --start 32x2", "no games"),
        ("--network 32x2 --play 5:10", "no games"),
        ("--size 9", "no games"),
    ],
)
def test_what_has_no_games_is_refused(tmp_path: Path, arguments: str, complaint: str) -> None:
    command = ["learn", *arguments.split(), "--out", str(tmp_path / "n.npz")]
    result = CliRunner().invoke(cli.app, command)
    assert result.exit_code == 2
    assert complaint in result.output


@pytest.mark.parametrize("text", ["9", "9:", ":5", "9:0", "x:5", "30:5", "9:-1"])
def test_games_that_cannot_be_played_are_refused(tmp_path: Path, text: str) -> None:
    arguments = ["learn", "games.sgf", "--play", text, "--out", str(tmp_path / "n.npz")]
    result = CliRunner().invoke(cli.app, arguments)
    assert result.exit_code == 2
    assert "--play" in result.output or "not a board size" in result.output


def test_a_value_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    from dataclasses import replace

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
