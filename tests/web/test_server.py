"""The server from outside: games, analyses and reviews."""

from __future__ import annotations

import sys
import time
from typing import Any

import pytest

from montego.engine.levels import TABLE
from montego.go import sgf, vertex
from montego.go.rulesets import find_ruleset
from montego.lab.tools.review import Review, Reviewer, review
from tests.web.client import Client
from tests.web.conftest import Server

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")


def is_users_turn(state: dict[str, Any]) -> bool:
    return state["phase"] == "playing" and state["working"] is None


# --- a game ----------------------------------------------------------------------------


def test_who_comes_is_told_what_there_is(client: Client) -> None:
    told = client.until("welcome")
    assert told["recipes"][0] == "montego"
    assert [level["name"] for level in told["levels"]] == [level.name for level in TABLE]
    assert {rules["name"] for rules in told["rules"]} >= {"chinese", "japanese"}


def test_the_program_answers(client: Client) -> None:
    client.begin()
    client.play("C3")
    state = client.until("state", lambda state: len(state["line"]) == 3 and is_users_turn(state))
    assert client.moves()[0] == "C3"
    assert state["board"]["to_play"] == "black"
    assert state["board"]["last"] == client.moves()[1]
    assert 0 <= state["nodes"][1]["win_rate"] <= 1
    assert (state["black"], state["white"]) == ("You", "Montego")


def test_the_program_begins_as_black_and_in_handicap_games(client: Client) -> None:
    client.begin(user="white")
    assert client.until("state", lambda state: len(state["line"]) == 2)
    client.begin(user="black", handicap=2, komi=0.5)
    state = client.until("state", lambda state: len(state["line"]) == 2)
    assert sum(map(sum, state["board"]["stones"])) == 1  # two black stones and a white one


def test_undo_goes_back_to_the_users_last_choice(client: Client) -> None:
    client.begin()
    client.play("C3")
    client.until("state", lambda state: len(state["line"]) == 3 and is_users_turn(state))
    client.say("undo")
    state = client.until("state", lambda state: state["at"] == 0)
    assert len(state["nodes"]) == 3  # what was played is a variation now
    client.say("undo")
    assert "no move of yours" in client.until("problem")["text"]


def test_an_illegal_move_is_explained(client: Client) -> None:
    client.begin(user="both")
    client.play("C3")
    client.until("state", lambda state: state["at"] == 1)
    client.play("C3")
    told = client.until("problem")
    assert told["code"] == "illegal"
    assert told["text"] == "C3 is occupied by Black."
    assert told["point"] == "C3"


def test_a_move_for_a_board_that_has_changed_is_late(client: Client) -> None:
    client.begin(user="both")
    client.play("C3")
    client.play("D3")  # the page has not heard of the first one
    assert client.until("problem")["code"] == "late"


def test_a_finished_game_is_counted_and_stones_may_be_marked(client: Client) -> None:
    sgf = "(;SZ[5]KM[0.5]AB[ba][bb][bc][bd][be]AW[ca][cb][cc][cd][ce][aa])"
    client.say("open", sgf=sgf, settings={"user": "both"}, mode="play")
    client.until("state")
    client.play_all(["pass", "pass"])
    state = client.until("state", lambda state: state["count"] is not None)
    assert state["phase"] == "scoring"
    assert state["count"]["dead"] == ["A5"]
    assert state["count"]["result"] == "W+5.5"
    client.say("mark", point="A5")
    state = client.until("state", lambda state: state["count"]["dead"] == [])
    assert state["count"]["black"] == 5
    client.say("mark", point="A5")
    client.say("agree")
    state = client.until("state", lambda state: state["phase"] == "over")
    assert state["result"] == "W+5.5"
    client.say("resume")
    state = client.until("state", lambda state: state["phase"] == "playing")
    assert (state["at"], state["result"]) == (0, "")


def test_resigning_and_thinking_better_of_it(client: Client) -> None:
    client.begin()
    client.say("resign")
    state = client.until("state", lambda state: state["phase"] == "over")
    assert state["result"] == "W+R"
    client.play("C3")
    assert "over" in client.until("problem")["text"]
    client.say("undo")
    assert client.until("state", lambda state: state["phase"] == "playing")["result"] == ""


def test_a_game_that_has_ended_can_be_played_on_from_any_of_its_positions(client: Client) -> None:
    client.say("open", sgf="(;SZ[5]RE[B+R];B[cc];W[cb])", settings={"user": "both"})
    client.until("state")
    client.say("switch", mode="play")
    assert client.until("state")["phase"] == "over"
    client.say("switch", mode="analyse")
    client.say("goto", node=1)
    client.say("switch", mode="play")
    state = client.until("state", lambda state: state["at"] == 1 and state["mode"] == "play")
    assert (state["phase"], state["result"]) == ("playing", "")
    client.play_all(["D4"])


@pytest.mark.parametrize("size", [2, 3, 19])
def test_boards_of_any_size(client: Client, size: int) -> None:
    client.begin(size=size)
    client.play("A1")
    state = client.until("state", lambda state: len(state["line"]) == 3)
    assert len(state["board"]["stones"]) == size


def test_a_hint_and_an_estimate(client: Client) -> None:
    client.begin()
    client.say("hint")
    hinted = client.until("hinted")
    assert hinted["move"] == hinted["line"][0] == "C3"  # on 5×5 nothing else will do
    client.until("state", is_users_turn)
    client.say("estimate")
    told = client.until("estimated")
    assert len(told["ownership"]) == 5
    assert told["node"] == 0


def test_a_search_can_be_stopped(client: Client) -> None:
    client.begin(user="white", size=9, limit={"by": "seconds", "amount": 60})
    client.until("thinking")
    client.say("stop")
    begin = time.monotonic()
    client.until("state", lambda state: len(state["line"]) == 2)
    assert time.monotonic() - begin < 50


def test_a_game_as_sgf_and_back(client: Client) -> None:
    client.begin(user="both", rules="aga")
    client.play_all(["C3", "D4", "pass"])
    client.say("save")
    saved = client.until("saved")
    assert saved["name"].endswith(".sgf")
    client.say("open", sgf=saved["text"])
    state = client.until("state", lambda state: state["mode"] == "analyse")
    assert client.moves() == ["C3", "D4", "pass"]
    assert state["board"]["stones"][2][2] == 1


def test_a_page_that_is_loaded_again_finds_its_game(server: Server) -> None:
    with server.client() as first:
        name = first.begin(user="both")["game"]
        first.play("C3")
        first.until("state", lambda state: state["at"] == 1)
    with server.client() as second:
        second.say("join", game=name)
        assert second.until("state")["at"] == 1
        second.say("join", game="x" * 16)
        assert second.until("problem")["code"] == "lost"
        second.say("follow", link=second.state["link"])
        state = second.until("state")
        assert state["game"] != name
        assert second.moves() == ["C3"]


def test_two_pages_see_the_same_game(server: Server) -> None:
    with server.client() as one, server.client() as other:
        name = one.begin(user="both")["game"]
        other.say("join", game=name)
        other.until("state")
        one.play("B2")
        assert other.until("state", lambda state: state["at"] == 1)["board"]["last"] == "B2"


# --- analysing -------------------------------------------------------------------------


def test_an_analysis_runs_until_it_is_stopped(client: Client) -> None:
    client.begin("analyse")
    client.say("analyse", on=True)
    first = client.until("analysis")
    later = client.until("analysis", lambda told: told["simulations"] > 2 * first["simulations"])
    best = later["candidates"][0]
    assert best["move"] == later["move"] == best["line"][0]
    assert sum(candidate["visits"] for candidate in later["candidates"]) <= later["simulations"]
    client.say("analyse", on=False)
    client.until("state", lambda state: not state["analysing"])
    assert client.state["nodes"][0]["win_rate"] is not None


def test_an_analysis_follows_the_position(client: Client) -> None:
    client.begin("analyse")
    client.say("analyse", on=True)
    client.until("analysis")
    client.play("C3")
    told = client.until("analysis", lambda told: told["node"] == 1)
    assert told["to_play"] == "white"
    client.say("goto", node=0)
    assert client.until("analysis", lambda told: told["node"] == 0)["to_play"] == "black"


def test_two_recipes_side_by_side(client: Client) -> None:
    client.begin("analyse")
    client.say("analyse", on=True, beside="mango")
    seen = {client.until("analysis")["recipe"]}
    seen.add(client.until("analysis", lambda told: told["recipe"] not in seen)["recipe"])
    assert seen == {"montego", "mango"}


def test_inside_the_search_and_its_constants(client: Client) -> None:
    told = client.until("welcome")
    names = {parameter["name"] for parameter in told["parameters"]["mango"]}
    assert {"selection.c", "open.k_init"} <= names
    client.begin("analyse", recipe="mango")
    client.say("analyse", on=True, inside=True, parameters={"open.k_init": 1, "selection.c": 0.1})
    inside = client.until("inside")
    assert len([node for node in inside["nodes"] if node["parent"] is None]) == 25
    assert inside["size"] > len(inside["nodes"])
    client.say("analyse", on=True, parameters={"playout.x": 1})
    assert "no number 'playout.x'" in client.until("problem")["text"]
    client.say("analyse", on=True, parameters={"selection.c": -1e9})
    assert "has to be between" in client.until("problem")["text"]
    assert client.problems[-1]["code"] == "bad"


def test_more_analyses_than_processes_take_turns(server: Server) -> None:
    clients = [server.client() for _ in range(4)]
    for client in clients:
        client.begin("analyse")
        client.say("analyse", on=True)
    for client in clients:
        assert client.until("analysis")["simulations"] > 0
    with server.client() as player:  # a move goes before them
        player.begin(user="white")
        player.until("state", lambda state: len(state["line"]) == 2)
    for client in clients:
        client.close()


REVIEWED = "(;SZ[5]PB[<b>Ann</b>];B[aa];W[cc];B[bb];W[cb])"


def test_a_review_has_the_figures_of_montego_review(client: Client) -> None:
    client.say("open", sgf=REVIEWED)
    client.until("state")
    client.say("goto", node=1)  # the whole line is reviewed, wherever one is
    client.say("review", simulations=50)
    told = client.until("reviewed", lambda told: told["done"] == 5)
    game = sgf.loads(REVIEWED, None, find_ruleset("chinese").rules(7.5))
    reviewer = Reviewer.parse("montego", 50)
    views = review(game.position, reviewer.searcher(lambda: False))
    real = Review(game, views)
    assert told["by"] == str(reviewer)
    assert told["win_rates"] == [round(rate, 5) for rate in real.win_rates]
    assert told["leads"] == [round(lead, 2) for lead in real.leads]
    for move, judged in zip(told["moves"], real.moves, strict=True):
        assert (move["number"], move["node"]) == (judged.number, judged.number)
        assert move["best"] == vertex(judged.best, 5)
        assert move["verdict"] == judged.verdict
        assert move["loss"] == round(judged.loss, 5)
    state = client.until("state", lambda state: not state["reviewing"])
    assert [node["win_rate"] for node in state["nodes"]] == told["win_rates"]
    client.say("save", what="review")
    assert "SBKV[" in client.until("saved")["text"]
    client.say("save", what="page")
    page = client.until("saved")
    assert page["name"].endswith("-review.html")
    assert "<b>Ann</b>" not in page["text"]
    assert "&lt;b&gt;Ann" in page["text"]


def test_a_review_can_be_stopped_and_needs_a_game(client: Client) -> None:
    client.begin("analyse")
    client.say("review")
    assert "no move" in client.until("problem")["text"]
    client.say("save", what="page")
    assert "no review" in client.until("problem")["text"]
    client.say("open", sgf="(;SZ[9]" + ";B[];W[]" * 100 + ")")
    client.until("state")
    client.say("review", simulations=20_000)
    client.until("reviewed")
    client.say("review", on=False)
    client.until("state", lambda state: not state["reviewing"])


def test_the_seconds_of_every_move_of_the_program_are_told(client: Client) -> None:
    client.begin(user="white", limit={"by": "seconds", "amount": 0.5})
    state = client.until("state", lambda state: len(state["line"]) == 2 and is_users_turn(state))
    start, moved = state["nodes"]
    assert start["seconds"] is None
    assert 0.01 < moved["seconds"] < 5


def test_a_link_may_lead_back_to_a_game(client: Client) -> None:
    link = client.begin(user="white")["link"]
    client.say("follow", link=link, mode="play")
    state = client.until("state", lambda state: len(state["line"]) == 2 and is_users_turn(state))
    assert state["mode"] == "play"
