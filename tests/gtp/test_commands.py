"""Every command of the table, by what it answers."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path

import pytest

import montego
from montego.gtp.table import COMMANDS, command
from montego.knowledge.explain import TERMS
from tests.gtp.sessions import ask, fake_session

REQUIRED = """
    protocol_version name version known_command list_commands quit boardsize clear_board komi play
    genmove reg_genmove undo showboard fixed_handicap place_free_handicap set_free_handicap loadsgf
    printsgf time_settings time_left final_score final_status_list list_stones all_legal is_legal
    captures cputime kgs-rules kgs-time_settings kgs-genmove_cleanup kgs-game_over kata-set-rules
    lz-analyze lz-genmove_analyze kata-analyze kata-genmove_analyze gogui-analyze_commands
    gogui-setup montego-param
    """


def test_all_commands_are_there() -> None:
    assert set(REQUIRED.split()) <= set(COMMANDS)
    session, _ = fake_session()
    assert ask(session, "list_commands") == "= " + "\n".join(sorted(COMMANDS))


def test_no_command_can_be_entered_twice() -> None:
    with pytest.raises(KeyError, match="there already"):
        command("name")(lambda session, arguments: "")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("7 protocol_version", "=7 2"),
        ("name", "= Montego"),
        ("version", f"= {montego.__version__}"),
        ("known_command genmove", "= true"),
        ("known_command sing", "= false"),
        ("sing", "? unknown command"),
        ("5", "?5 unknown command"),
        ("boardsize 13, query_boardsize", "= 13"),
        ("boardsize 20", "? unacceptable size: a board is 2 to 19 lines wide, not 20"),
        ("boardsize", "? syntax error: the size is missing"),
        ("boardsize nine", "? syntax error: the size is not a whole number"),
        ("komi 6.5, get_komi", "= 6.5"),
        ("komi nan", "? komi has to be a finite number, not nan"),
        ("komi much", "? syntax error: the komi is not a number"),
        ("play b D4, play w d4", "? illegal move: D4 is occupied by Black"),
        ("play b Z4", "? illegal move: Z4 lies off the 9x9 board"),
        ("play red D4", "? syntax error: a colour is black or white"),
        ("play b", "? syntax error: the vertex is missing"),
        ("play b D4, play b E5, list_stones black", "= E5 D4"),
        ("play b pass, play w PASS, list_stones w", "="),
        ("undo", "? cannot undo"),
        ("play b D4, undo, list_stones b", "="),
        ("play b D4, play w E5, gg-undo 2, list_stones b", "="),
        ("play b D4, gg-undo 2", "? cannot undo"),
        ("gogui-play_sequence b D4 w E5, list_stones w", "= E5"),
        ("gogui-play_sequence b D4 w D4, list_stones b", "="),
        ("fixed_handicap 2", "= G7 C3"),
        ("place_free_handicap 3", "= C7 G7 C3"),
        ("play b D4, fixed_handicap 2", "? handicap stones are placed on an empty board"),
        ("set_free_handicap A1 B1, list_stones b", "= A1 B1"),
        ("set_free_handicap A1 A1", "? A1 is given twice"),
        ("gogui-setup b A1 w B1 b C3, list_stones b", "= C3 A1"),
        ("gogui-setup b A1 w A1", "? two stones are set up on A1"),
        ("gogui-setup b A1, gogui-setup_player w, genmove w, list_stones w", "= A9"),
        ("boardsize 2, all_legal b", "= A2 B2 A1 B1"),
        ("is_legal b D4", "= 1"),
        ("play b D4, is_legal w D4", "= 0"),
        ("is_legal b Z9", "= 0"),
        ("is_legal b me", "? 'me' is not a move: give a point such as D4, or \"pass\""),
        ("boardsize 3, gogui-play_sequence b B1 w A1 b A2, captures b", "= 1"),
        ("boardsize 3, gogui-play_sequence b B1 w A1 b A2, captures w", "= 0"),
        ("boardsize 3, play b B2, final_score", "= B+1.5"),
        ("boardsize 3, play b B2, final_status_list alive", "= B2"),
        ("boardsize 3, play b B2, final_status_list dead", "="),
        ("final_status_list undead", "? syntax error: a status is alive, dead or seki"),
        ("genmove b", "= A9"),
        ("genmove", "? syntax error: the colour is missing"),
        ("reg_genmove w, list_stones w", "="),
        ("reg_genmove w", "= A9"),
        ("restricted_genmove w", "? syntax error: a vertex is missing"),
        ("restricted_genmove w C3 me",
         "? 'me' is not a move: give a point such as D4, or \"pass\""),
        ("kgs-genmove_cleanup b", "= A9"),
        ("kgs-game_over", "="),
        ("time_settings 600 30 5, time_left b 20 3, genmove b", "= A9"),
        ("time_settings 1 2", "? syntax error: the byo-yomi stones is missing"),
        ("time_settings -1 0 0", "? times cannot be negative or infinite"),
        ("time_left b nan 0", "? a clock shows a time, and no negative number of stones"),
        ("kgs-time_settings byoyomi 60 10 5", "="),
        ("kgs-time_settings none", "="),
        ("kata-time_settings fischer 60 5", "="),
        ("kata-time_settings hourglass 5",
         "? unknown time system 'hourglass': none, absolute, canadian, byoyomi, fischer, "
         "fischer-capped are known"),
        ("kgs-rules chinese", "="),
        ("kgs-rules japanese", "? unsupported rules: only area scoring is played"),
        ("kata-set-rules tromp-taylor", "="),
        ('kata-set-rules {"ko":"SIMPLE","scoring":"AREA","suicide":true}', "="),
        ('kata-set-rules {"scoring":"TERRITORY"}',
         "? unsupported rules: only area scoring is played"),
        ('kata-set-rules {"ko":', "? syntax error: not a JSON object"),
        ('kata-set-rules {"ko":"NONE"}',
         "? ko is one of SIMPLE, POSITIONAL, SITUATIONAL, not 'NONE'"),
        ("montego-param manners.resign", "= true"),
        ("montego-param manners.resign 0, montego-param manners.resign", "= false"),
        ("montego-param komi.rule value, montego-param komi.rule", "= value"),
        ("montego-param komi.rule often", "? rule is one of none, linear, value, not 'often'"),
        ("montego-param no.such", "? there is no parameter 'no.such'"),
        ("montego-param final secure, montego-param final.a 2, montego-param final", "= secure"),
        ("montego-param final lucky",
         "? 'lucky' is not a rule of final: robust, max, robust-max, secure are"),
        ("montego-variation b", "= A9"),
        ("montego-dead", "="),
        ("loadsgf", "? syntax error: the file is missing"),
        ("loadsgf /no/such.sgf",
         "? cannot load file: cannot read /no/such.sgf: No such file or directory"),
    ],
)  # fmt: skip
def test_answers(lines: str, expected: str) -> None:
    session, _ = fake_session()
    separator = "; " if "{" in lines else ", "
    assert ask(session, *lines.split(separator)) == expected


@pytest.mark.parametrize("command", ["time_settings 1 0 0", "kata-time_settings absolute 1"])
def test_a_time_in_which_no_game_can_be_played_is_told(command: str) -> None:
    session, _ = fake_session(size=9)
    log = io.StringIO()
    session._log = log
    assert ask(session, command) == "="
    assert log.getvalue() == ""
    assert ask(session, "boardsize 19", command) == "="
    assert log.getvalue() == "a long game on 19x19 cannot be played in this time\n"


def test_quit() -> None:
    session, _ = fake_session()
    assert ask(session, "3 quit") == "=3"
    assert session.is_over


def test_rules_are_told_as_json() -> None:
    session, _ = fake_session()
    told = ask(session, 'kata-set-rules {"ko": "SITUATIONAL", "suicide": true}', "kata-get-rules")
    rules = json.loads(told.removeprefix("= "))
    assert (rules["ko"], rules["suicide"], rules["scoring"]) == ("SITUATIONAL", True, "AREA")


def test_showboard_and_param_begin_a_new_line() -> None:
    session, _ = fake_session()
    assert ask(session, "showboard").startswith("=\n   A B C")
    listed = ask(session, "montego-param")
    assert "\n[bool] manners.resign 1\n" in listed
    assert "\n[list/robust/max/robust-max/secure] final robust\n" in listed
    assert "\n[list/none/linear/value] komi.rule " in listed


@pytest.mark.parametrize(
    "name",
    [
        *("ownership", "win-rates", "visits", "priors", "open", "probabilities", "term pattern"),
        *("network", "network 32x2"),
    ],
)
def test_pictures_have_a_value_for_every_point(name: str) -> None:
    session, _ = fake_session(size=5)
    rows = ask(session, f"montego-{name}").splitlines()[1:]
    assert [len(row.split()) for row in rows] == [5] * 5


def test_why_a_move() -> None:
    session, _ = fake_session()
    ask(session, "play b E5", "play w E3")
    told = ask(session, "montego-why C5").splitlines()
    assert told[0].startswith("= C5: ")
    assert len(told) == 1 + len(TERMS)
    assert any("line 3" in line for line in told)
    assert ask(session, "montego-why E5") == "? that move is not legal"
    assert ask(session, "montego-term beauty").startswith("? there is no term 'beauty': capture")


def test_networks_are_shown_by_name() -> None:
    session, _ = fake_session(size=5)
    shown = [ask(session, f"montego-network {name}") for name in ("", "64x3", "32x2")]
    assert shown[0] == shown[1] != shown[2]
    assert ask(session, "montego-network 5x5").startswith("? '5x5' is no network: 32x2")


def test_gogui_lists_commands_that_there_are() -> None:
    session, _ = fake_session()
    for line in ask(session, "gogui-analyze_commands").removeprefix("= ").splitlines():
        kind, label, call = line.split("/")
        assert kind
        assert label
        assert call.split()[0] in COMMANDS


def test_records(tmp_path: Path) -> None:
    session, _ = fake_session()
    path = tmp_path / "game.sgf"
    ask(session, "play b E5", "genmove w", "play b C3")
    assert "60.0%" in ask(session, "printsgf")
    assert ask(session, f"printsgf {path}", "clear_board", f"loadsgf {path} 3") == "="
    assert ask(session, "list_stones b") == "= E5"


def test_a_bug_is_answered_and_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    session, search = fake_session()
    monkeypatch.setattr(search, "run", lambda *arguments: 1 / 0)
    assert ask(session, "genmove b").startswith("? internal error: ")
    assert "Traceback" in session._log.getvalue()  # type: ignore[union-attr]
    assert ask(session, "lz-analyze 10") == "="


# --- records ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "lines",
    [
        "gogui-setup_player white",
        "gogui-setup b D4 b E5|gogui-setup_player black",
        "gogui-setup b D4 w E5|gogui-setup_player white",
        "play b D4|play b E5",
        "play w D4",
        "play b D4|play b E5|gogui-setup_player black",
        "fixed_handicap 3",
        "fixed_handicap 3|gogui-setup_player black|play w E5|play w A1|undo",
    ],
)
def test_a_printed_game_comes_back_with_the_player_to_move(tmp_path: Path, lines: str) -> None:
    session, _ = fake_session()
    ask(session, *lines.split("|"), f"printsgf {tmp_path}/game.sgf")
    before = ask(session, "showboard"), ask(session, "printsgf")
    assert ask(session, "clear_board", f"loadsgf {tmp_path}/game.sgf") == "="
    assert (ask(session, "showboard"), ask(session, "printsgf")) == before


def test_a_game_that_is_too_long_changes_nothing(tmp_path: Path) -> None:
    session, _ = fake_session(size=2)
    long = tmp_path / "long.sgf"
    long.write_text(f"(;SZ[2]{';B[];W[]' * 2_001})")
    ask(session, "play b A1")
    before = ask(session, "showboard")
    for line in (f"loadsgf {long}", "gogui-play_sequence" + " b pass w pass" * 2_000):
        assert "at most 4,000 moves" in ask(session, line)
        assert ask(session, "showboard") == before
    assert ask(session, "gogui-play_sequence" + " b pass" * 3_999) == "="
    assert ask(session, "play b pass") == "? illegal move: a game has at most 4,000 moves"


def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    session, _ = fake_session()
    os.mkfifo(tmp_path / "pipe")
    assert "not a regular file" in ask(session, f"loadsgf {tmp_path}/pipe")
    assert "nobody reads from it" in ask(session, f"printsgf {tmp_path}/pipe")
    assert "not a regular file" in ask(session, "loadsgf /dev/zero")
