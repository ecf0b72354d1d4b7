"""Queries: what they mean, and which field is to blame if they mean nothing."""

from __future__ import annotations

from typing import Any

import pytest

from montego.analysis.fields import QueryError
from montego.analysis.query import Query, parse_query
from montego.analysis.settings import Settings, overridden, read_pairs
from montego.go import BLACK, WHITE, parse_move
from montego.mcts.avoid import Avoid
from tests.analysis.sessions import answer, query


def parse(**more: Any) -> Query:
    return parse_query(query(**more), Settings())


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"moves": None}, "moves"),
    ({"moves": "E5"}, "moves"),
    ({"moves": ["E5"]}, "moves"),
    ({"moves": [["B"]]}, "moves"),
    ({"moves": [["X", "E5"]]}, "moves"),
    ({"moves": [["B", "Z99"]]}, "moves"),
    ({"moves": [["B", "I5"]]}, "moves"),
    ({"moves": [["B", 17]]}, "moves"),
    ({"moves": [[None, {}]]}, "moves"),
    ({"moves": [["B", "(9,0)"]]}, "moves"),
    ({"moves": [["B", "(0,20)"]]}, "moves"),
    ({"moves": [["B", "E5"], ["W", "E5"]]}, "moves"),
    ({"initialStones": [["B", "E5"], ["W", "E5"]]}, "initialStones"),
    ({"initialStones": [["B", "pass"]]}, "initialStones"),
    ({"initialStones": {}}, "initialStones"),
    ({"initialPlayer": "green"}, "initialPlayer"),
    ({"rules": None}, "rules"),
    ({"rules": 3}, "rules"),
    ({"rules": "house"}, "rules"),
    ({"rules": {"ko": "NONE"}}, "rules"),
    ({"rules": {"suicide": "perhaps"}}, "rules"),
    ({"rules": {"colour": "red"}}, "rules"),
    ({"whiteHandicapBonus": "2N"}, "whiteHandicapBonus"),
    ({"komi": "6.5"}, "komi"),
    ({"komi": True}, "komi"),
    ({"komi": 1000}, "komi"),
    ({"boardXSize": None}, "boardXSize"),
    ({"boardYSize": "9"}, "boardYSize"),
    ({"boardXSize": 9.5}, "boardXSize"),
    ({"boardXSize": 1, "boardYSize": 1}, "boardXSize"),
    ({"boardXSize": 25, "boardYSize": 25}, "boardXSize"),
    ({"boardXSize": 13}, "boardYSize"),
    ({"analyzeTurns": 0}, "analyzeTurns"),
    ({"analyzeTurns": [1]}, "analyzeTurns"),
    ({"analyzeTurns": [-1]}, "analyzeTurns"),
    ({"analyzeTurns": [0], "priorities": [1, 2]}, "priorities"),
    ({"priorities": [1]}, "priorities"),
    ({"priority": "high"}, "priority"),
    ({"priority": 10**30}, "priority"),
    ({"maxVisits": 0}, "maxVisits"),
    ({"maxVisits": 10**30}, "maxVisits"),
    ({"maxVisits": "many"}, "maxVisits"),
    ({"includeOwnership": 1}, "includeOwnership"),
    ({"includePolicy": "yes"}, "includePolicy"),
    ({"reportDuringSearchEvery": 0}, "reportDuringSearchEvery"),
    ({"reportDuringSearchEvery": -1.5}, "reportDuringSearchEvery"),
    ({"overrideSettings": []}, "overrideSettings"),
    ({"overrideSettings": {"maxTime": "long"}}, "overrideSettings"),
    ({"overrideSettings": {"reportAnalysisWinratesAs": "RED"}}, "overrideSettings"),
    ({"avoidMoves": {}}, "avoidMoves"),
    ({"avoidMoves": ["E5"]}, "avoidMoves"),
    ({"avoidMoves": [{"player": "B", "moves": ["E5"]}]}, "avoidMoves"),
    ({"avoidMoves": [{"player": "B", "moves": ["E99"], "untilDepth": 1}]}, "avoidMoves"),
    ({"allowMoves": [{"player": "B", "moves": ["E5"], "untilDepth": 0}]}, "allowMoves"),
]


@pytest.mark.parametrize(("more", "field"), WRONG, ids=lambda value: str(value)[:60])
def test_the_field_that_is_wrong_is_named(more: dict[str, Any], field: str) -> None:
    (error,) = answer(query(**more))
    assert (error["field"], error["id"]) == (field, "q")
    assert error["error"]


def test_a_number_that_is_too_large_for_any_field() -> None:
    raw = b'{"id":"q","moves":[],"rules":"aga","boardXSize":9,"boardYSize":9,"komi":1e400}'
    (error,) = answer(raw)
    assert (error["field"], error["id"]) == ("komi", "q")


def test_an_illegal_move_is_called_one() -> None:
    (error,) = answer(query(moves=[["B", "E5"], ["W", "E5"]]))
    assert error["error"] == "Illegal move 2: E5 is occupied by Black"


def test_other_boards_are_refused_in_plain_words() -> None:
    (error,) = answer(query(boardXSize=9, boardYSize=13))
    assert error["error"] == "only square boards are played, not 9x13"


def test_points_by_number() -> None:
    (task,) = parse(moves=[["B", "(0,8)"], ["W", "(8, 0)"], ["B", "pass"]]).tasks
    assert task.game.color_at("A1") == BLACK
    assert task.game.color_at("J9") == WHITE


@pytest.mark.parametrize(
    ("more", "color"),
    [
        ({}, BLACK),
        ({"initialPlayer": "W"}, WHITE),
        ({"initialStones": [["B", "C3"], ["B", "G7"]]}, WHITE),
        ({"initialStones": [["B", "C3"]]}, BLACK),
        ({"initialStones": [["B", "C3"], ["W", "G7"]]}, BLACK),
        ({"moves": [["W", "E5"]]}, BLACK),
        ({"moves": [["W", "E5"]], "analyzeTurns": [0]}, WHITE),
        ({"moves": [["B", "E5"], ["B", "C3"]]}, WHITE),
    ],
)
def test_whose_turn_it_is(more: dict[str, Any], color: int) -> None:
    (task,) = parse(**more).tasks
    assert task.game.to_play == color


TWO = [["B", "C3"], ["B", "G7"]]


@pytest.mark.parametrize(
    ("more", "komi"),
    [
        ({}, 7.5),
        ({"komi": 5}, 5.0),
        ({"komi": -3.75}, -3.75),
        ({"rules": "japanese"}, 6.5),
        ({"rules": "aga-button"}, 7.0),
        ({"rules": "chinese", "komi": 0.5, "initialStones": TWO}, 2.5),
        ({"rules": "chinese", "komi": 0.5, "moves": TWO}, 2.5),
        ({"rules": "chinese", "komi": 0.5, "moves": TWO[:1]}, 0.5),
        ({"rules": "aga", "komi": 0.5, "initialStones": TWO}, 1.5),
        ({"rules": "chinese", "komi": 0.5, "initialStones": TWO, "whiteHandicapBonus": "0"}, 0.5),
        ({"komi": 0.5, "initialStones": TWO, "whiteHandicapBonus": "N-1"}, 1.5),
    ],
)
def test_komi(more: dict[str, Any], komi: float) -> None:
    (task,) = parse(**more).tasks
    assert task.game.komi == komi


def test_rules_that_are_not_played_are_replaced_with_a_warning() -> None:
    warning, reply = answer(query(rules="japanese"))
    assert (warning["field"], warning["id"]) == ("rules", "q")
    assert warning["warning"].startswith("territory scoring cannot be played")
    assert reply["moveInfos"]


def test_fields_that_nobody_knows_are_warned_of() -> None:
    warning, reply = answer(query(colour="red"))
    assert warning == {"warning": "Unexpected or unused field", "field": "colour", "id": "q"}
    assert reply["moveInfos"]


def test_a_game_that_breaks_the_rules_is_analysed_anyway() -> None:
    suicide = [["B", "A2"], ["W", "E5"], ["B", "B1"], ["W", "A1"]]
    warning, reply = answer(query(rules="chinese", moves=suicide))
    assert warning["field"] == "moves"
    assert warning["warning"].startswith("Illegal move 4: A1 would be suicide")
    assert reply["turnNumber"] == 4


def test_a_game_that_is_over_is_still_analysed() -> None:
    (reply,) = answer(query(moves=[["B", "pass"], ["W", "pass"]]))
    assert reply["rootInfo"]["currentPlayer"] == "B"
    assert reply["moveInfos"]


def test_moves_to_leave_out() -> None:
    avoid = [{"player": "B", "moves": ["E5", "pass"], "untilDepth": 3}]
    allow = [{"player": "W", "moves": ["C3"], "untilDepth": 1}]
    (task,) = parse(avoidMoves=avoid, allowMoves=allow).tasks
    first, second = task.avoided
    assert first == Avoid(BLACK, frozenset({parse_move("E5", 9), parse_move("pass", 9)}), 3)
    assert (second.color, second.depth, len(second.moves)) == (WHITE, 1, 81)
    assert parse_move("C3", 9) not in second.moves


# --- settings --------------------------------------------------------------------------


def test_a_querys_own_settings_go_before_all_others() -> None:
    told = {"maxVisits": 7, "maxTime": 2.5, "reportAnalysisWinratesAs": "sidetomove", "x": 1}
    read = parse(overrideSettings=told)
    assert read.tasks[0].settings == Settings(7, 2.5, "SIDETOMOVE")
    assert read.ignored == ["x"]
    (task,) = parse(overrideSettings=told, maxVisits=9).tasks
    assert task.settings.simulations == 9
    (task,) = parse().tasks
    assert task.settings == Settings()


def test_settings_in_files_and_on_the_command_line() -> None:
    text = "# comment\nmaxVisits = 500 # each\n\nreportAnalysisWinratesAs=WHITE, maxTime = 1.5\n"
    settings, ignored = overridden(Settings(), read_pairs(text + "nnRandomize = true\n"))
    assert settings == Settings(500, 1.5, "WHITE")
    assert ignored == ["nnRandomize"]
    with pytest.raises(QueryError, match="'hello' is not of the form key=value"):
        read_pairs("hello")
