"""Players as text, our own players, and GTP programs that behave badly."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from montego.cluster.settings import Virtual
from montego.engine.levels import find_level, level_of
from montego.engine.manners import Manners
from montego.go import BLACK, PASS, WHITE, Position, parse_move
from montego.lab.matches.entrants import parse_player
from montego.lab.matches.foul import Foul, Kind
from montego.lab.matches.players import (
    RESIGN,
    Choice,
    EnginePlayer,
    GtpPlayer,
    PlayerError,
    PlayoutPlayer,
    SearchPlayer,
    Settings,
    mixed_seed,
)
from montego.lab.matches.program import GtpProgram, Refusal
from montego.lab.matches.program_output import (
    LONGEST_LINE,
    MOST_ERROR_BYTES,
    MOST_LINES,
    OutputReader,
)
from montego.mcts import strategies
from montego.mcts.playouts import Orego, Uniform
from tests.lab.matches.opponents import is_running, moody, moody_command

# --- as text ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("random,simulations=5", "nothing to set"),
        ("gtp:", "followed by a command"),
        ("gtp:'unclosed", "No closing quotation"),
        ("gtp:no-such-program --mode gtp", "there is no program 'no-such-program'"),
        ("random,simulations", "not key=value"),
        ("random,=3", "not key=value"),
        ("random,", "not key=value"),
        ("random,a=1,a=2", "twice"),
        (
            "nobody",
            "'nobody' is not a player: .*montego.* random, search:RECIPE, .* and gtp:",
        ),
        ("playout:nobody", "'nobody' is not a kind of playout: uniform, .*"),
        ("playout:mogo,c=1", "mogo has no parameter 'playout.c'"),
        ("montego,simulations=many", "simulations=many is not a number"),
        ("montego,simulations=0", "simulations=0 is too little"),
        ("uct,selection.z=1", "no parameter 'selection.z'"),
        ("search:nobody", "'nobody' is not a player"),
        ("search:uct,manners.resign=no", "no parameter 'manners.resign'"),
        ("uct,resign=0.1", "resign= is for a bare search"),
        ("uct,manners.resign=perhaps", "'perhaps' is not a value of resign"),
        ("uct,selection.c=high", "'high' is not a value for selection.c"),
        ("uct,cluster=magic", "'magic' is not a method"),
        ("uct,machines=4", "machines= goes with cluster=METHOD"),
        ("uct,cluster=root,cluster.machines=2,machines=3", "machines is set twice"),
    ],
)
def test_what_is_no_player(text: str, reason: str) -> None:
    with pytest.raises(PlayerError, match=reason):
        parse_player(text)


@pytest.mark.parametrize(
    "given",
    [{"simulations": 0}, {"seconds": 0.0}, {"threads": 0}, {"seed": -1}, {"resign": 1.5}],
)
def test_settings_without_sense(given: dict[str, float]) -> None:
    with pytest.raises(PlayerError, match=next(iter(given))):
        Settings(**given)  # type: ignore[arg-type]


def test_players_from_text() -> None:
    assert isinstance(parse_player("random").player(1), PlayoutPlayer)
    search = parse_player("search:uct,simulations=7,selection.c=0.25,resign=0").player(1)
    assert isinstance(search, SearchPlayer)
    assert search.recipe.parameters()["selection.c"] == 0.25
    assert search.settings == Settings(simulations=7, resign=0)
    engine = parse_player(
        "uct,simulations=7,selection.c=0.25,manners.resign=no,komi.rule=value"
    ).player(1)
    assert isinstance(engine, EnginePlayer)
    engine.new_game(9, 7.5, seed=1)
    assert engine.engine is not None
    assert engine.engine.recipe == search.recipe
    assert not engine.engine.manners.resign
    assert engine.engine.dynamic_komi.rule == "value"
    program = parse_player(moody("good")).player(1)
    assert isinstance(program, GtpPlayer)
    assert program.command == moody_command("good")


def test_a_player_may_have_other_rules() -> None:
    """In the engine and in a bare search alike, in any order."""
    for kind in ("", "search:"):
        text = f"{kind}uct,selection.n_prior=30,selection=prior,final=secure,threads=2,locks=node"
        recipe = parse_player(text).recipe
        assert recipe is not None
        assert recipe.selection == strategies.PriorKnowledge(n_prior=30.0)
        assert recipe.final == strategies.Secure()
        assert recipe.locks == strategies.NodeLocks()


def test_a_player_of_many_machines() -> None:
    text = "montego,cluster=slow-tree,machines=3,cluster.between=20,cluster.loss=0.1,simulations=30"
    for prefix in ("", "search:"):
        player = parse_player(prefix + text).player(1)
        assert isinstance(player, EnginePlayer | SearchPlayer)
        assert player.settings.cluster == Virtual("slow-tree", 3, between=20, loss=0.1)
        choices = []
        for _ in range(2):
            player.new_game(5, 7.5, 1)
            choices.append(player.genmove(BLACK))
        assert choices[0] == choices[1]
        assert choices[0].simulations == 90


def test_mixed_seeds_differ() -> None:
    seeds = {mixed_seed(0, number, color) for number in range(1000) for color in (BLACK, WHITE)}
    assert len(seeds) == 2000
    assert mixed_seed(1, 2) == mixed_seed(1, 2) != mixed_seed(12)


# --- random ----------------------------------------------------------------------------


def test_a_playout_plays_without_search() -> None:
    entrant = parse_player("playout:orego-capture,best_of=361")
    assert entrant.playout == Orego("capture", best_of=361)
    player = entrant.player(1)
    player.new_game(5, 7.5, seed=3)
    for color, name in ((WHITE, "A1"), (BLACK, "A2"), (WHITE, "E5")):
        player.play(color, parse_move(name, 5))
    assert player.genmove(BLACK).move == parse_move("B1", 5)


def random_moves(seed: int) -> list[int]:
    player = PlayoutPlayer(Uniform())
    player.new_game(5, 7.5, seed)
    return [player.genmove(BLACK if number % 2 == 0 else WHITE).move for number in range(30)]


def test_a_random_player_plays_legal_moves_by_its_seed() -> None:
    position = Position.start(5)
    for move in random_moves(1):
        position = position.play(move)
    assert random_moves(1) == random_moves(1) != random_moves(2)


# --- recipes ---------------------------------------------------------------------------


def recipe_choice(text: str, seed: int = 1) -> Choice:
    """The answer to Black's first move on a small board."""
    player = parse_player(text).player(1)
    player.new_game(5, 7.5, seed)
    player.play(BLACK, Position.start(5).play("C3").moves[0][1])
    return player.genmove(WHITE)


def test_a_recipe_searches_and_tells_its_chances() -> None:
    choice = recipe_choice("search:uct,simulations=300,memory=16,resign=0")
    assert choice.simulations >= 300
    assert choice.win_rate is not None
    assert 0 < choice.win_rate < 1
    assert choice == recipe_choice("search:uct,simulations=300,memory=16,resign=0")


def test_a_recipe_gives_up_below_its_limit() -> None:
    assert recipe_choice("search:uct,simulations=300,memory=16,resign=0.99").move == RESIGN


def test_a_recipe_keeps_to_its_time() -> None:
    begin = time.monotonic()
    assert recipe_choice("search:uct,seconds=0.1,memory=16,resign=0").simulations > 0
    assert time.monotonic() - begin < 5


# --- programs --------------------------------------------------------------------------


def genmove_of(*behaviours: str, reply_seconds: float = 20) -> int:
    """The move of a program on a board where A1 is taken."""
    player = GtpPlayer(moody_command(*behaviours), reply_seconds)
    try:
        player.new_game(5, 7.5, seed=0)
        player.play(BLACK, Position.start(5).play("A1").moves[0][1])
        return player.genmove(WHITE).move
    finally:
        player.close()


def test_a_good_program() -> None:
    assert genmove_of("good") == PASS
    assert genmove_of("chatty") == PASS
    assert genmove_of("resign") == RESIGN


@pytest.mark.parametrize(
    ("behaviour", "kind", "told"),
    [
        ("hang", Kind.TIME, "no reply to 'genmove White' in time"),
        ("silent", Kind.TIME, "no reply"),
        ("crash", Kind.CRASH, "out of luck"),
        ("flood", Kind.NONSENSE, "does not stop answering"),
        ("nonsense", Kind.NONSENSE, "answered 'hello there'"),
        ("word", Kind.NONSENSE, "'castle' is not a move"),
        ("off-board", Kind.NONSENSE, "off the 5x5 board"),
        ("error", Kind.RULES, "refuses 'genmove White': cannot think"),
        ("stubborn", Kind.RULES, "refuses 'play Black A1': illegal move"),
        ("stream", Kind.TIME, "no reply to 'genmove White' in time"),
        ("blank", Kind.TIME, "no reply to 'genmove White' in time"),
        ("orphan", Kind.CRASH, "stopped at 'genmove White'"),
        ("chatter", Kind.NONSENSE, "does not stop answering|is not a move"),
    ],
)
def test_a_bad_program(behaviour: str, kind: Kind, told: str) -> None:
    seconds = 1.0 if kind == Kind.TIME else 20.0
    with pytest.raises(Foul, match=told) as caught:
        genmove_of(behaviour, reply_seconds=seconds)
    assert caught.value.kind == kind


def test_a_program_that_cannot_be_started() -> None:
    with pytest.raises(Foul, match="cannot be started"):
        GtpProgram(["/no/such/program"])


def test_the_end_of_a_program_is_the_end_of_all_it_started() -> None:
    program = GtpProgram(["sh", "-c", 'read line; sleep 1000 & echo "= $!"; echo; wait'])
    child = int(program.ask("name", 10))
    os.kill(child, 0)
    begin = time.monotonic()
    program.close()
    assert time.monotonic() - begin < 5
    deadline = time.monotonic() + 5
    while is_running(child) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_running(child)


def test_what_left_the_group_ends_too(tmp_path: Path) -> None:
    escaped = f"setsid sh -c 'echo $$ > {tmp_path}/pid; exec sleep 1000' &"
    program = GtpProgram(["sh", "-c", f"{escaped} while read line; do echo =; echo; done"])
    program.ask("name", 10)
    deadline = time.monotonic() + 10
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text().strip():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    child = int((tmp_path / "pid").read_text())
    assert is_running(child)
    program.close()
    assert not is_running(child)


@pytest.mark.parametrize("behaviour", ["stream", "blank", "orphan", "hang", "chatter"])
def test_whatever_a_program_does_it_is_closed_soon(behaviour: str) -> None:
    program = GtpProgram(moody_command(behaviour))
    with pytest.raises(Foul):
        program.ask("genmove b", 1.0)
    begin = time.monotonic()
    program.close()
    assert time.monotonic() - begin < 5


def test_a_program_that_does_not_read_runs_out_of_time() -> None:
    program = GtpProgram(["sleep", "1000"])
    begin = time.monotonic()
    with pytest.raises(Foul, match="does not read") as caught:
        program.ask("x" * 10_000_000, 0.5)
    assert caught.value.kind == Kind.TIME
    program.close()
    assert time.monotonic() - begin < 5


def test_what_nobody_asks_for_takes_no_memory() -> None:
    output, mouth = os.pipe()
    errors, other = os.pipe()
    reader = OutputReader(os.fdopen(output, "rb"), os.fdopen(errors, "rb"))
    for _ in range(200):
        os.write(mouth, b"line\n" * 1_000)
        os.write(mouth, b"x" * 10_000)
        os.write(other, b"y" * 10_000)
    os.close(mouth)
    os.close(other)
    assert len(reader.error_text(5)) <= MOST_ERROR_BYTES
    lines = list(iter(lambda: reader.next_line(5), None))
    assert len(lines) <= MOST_LINES + 1
    assert max(map(len, lines)) <= LONGEST_LINE
    assert reader.has_ended
    reader.close()


def test_a_refusal_is_not_a_foul_yet() -> None:
    program = GtpProgram(moody_command("stubborn"))
    try:
        with pytest.raises(Refusal, match="illegal move"):
            program.ask("play B A1", 10)
        assert program.ask("boardsize 5", 10) == ""
    finally:
        program.close()


def test_a_level_is_the_engine_of_its_table() -> None:
    level = find_level(3)
    for text in ("montego,level=3", "montego,level=beginner"):
        entrant = parse_player(text)
        assert entrant.settings.simulations == level.simulations
        assert entrant.manners == Manners(
            temperature=level.temperature, impulse=level.impulse, sight=level.sight
        )
    player = entrant.player(1.0)
    player.new_game(5, 7.5, 1)
    assert isinstance(player, EnginePlayer)
    assert player.engine is not None
    assert level_of(player.engine) is level
    changed = parse_player("montego,level=3,manners.sight=0.9").manners
    assert changed is not None
    assert (changed.sight, changed.impulse) == (0.9, level.impulse)
