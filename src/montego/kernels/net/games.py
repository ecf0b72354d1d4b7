"""Many games in step: what a network sees of each of them, its moves, and how they would end.

A network that plays on a GPU wants thousands of positions at a time.  So as many games are played
at once, a move in each: all boards are written as bytes (features/planes), the network chooses
elsewhere, all moves are played.  One that looks ahead also sees what its candidates lead to.  A
range of games is one thread's work.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import PASS, STRIDE, play
from montego.kernels.compiler.jit import U, entry, leaf
from montego.kernels.features.planes import NO_MOVE, RECENT, board_index, write_codes, write_hints
from montego.kernels.playouts.playout import finish, owner


@entry
def write_turns(T, W, boards, codes, hints, first, end):
    """Write codes and hints for the positions of some games."""
    for i in range(first, end):
        B = boards[U(i)]
        area = np.int64(B.size * B.size)
        write_hints(B, T, W, hints, i * area, PASS)
        write_codes(B, T, W, codes, i * area)


@leaf
def _note_move(recent, game, move):
    """Put a move before the other recent ones."""
    for k in range(RECENT - 1, 0, -1):
        recent[U(game * RECENT + k)] = recent[U(game * RECENT + k - 1)]
    recent[U(game * RECENT)] = move


@leaf
def _point_of(move, size):
    """The point of a move's number on its board."""
    return PASS if move == NO_MOVE else (move // size + 1) * STRIDE + move % size + 1


@entry
def play_turns(boards, recent, moves, first, end):
    """Play a move in some games: a point's number on its board, or NO_MOVE, which is a pass."""
    for i in range(first, end):
        B = boards[U(i)]
        move, size = np.int64(moves[U(i)]), np.int64(B.size)
        _note_move(recent, i, move)
        play(B, _point_of(move, size))


@entry
def write_children(T, W, boards, games, moves, codes, hints, first, end):
    """Write codes and hints of what moves lead to, each in one of the games.

    NO_MOVE leads nowhere, and nothing is written for it.
    """
    for i in range(first, end):
        move = np.int64(moves[U(i)])
        if move == NO_MOVE:
            continue
        W.board[U(0)] = boards[U(games[U(i)])]
        B = W.board[U(0)]
        area = np.int64(B.size * B.size)
        play(B, _point_of(move, np.int64(B.size)))
        write_hints(B, T, W, hints, i * area, PASS)
        write_codes(B, T, W, codes, i * area)


@entry
def judge_ends(P, T, W, boards, playouts, scores, owners, first, end):
    """Play some games to their ends, several times each: Black's scores, and the sums of owners."""
    for i in range(first, end):
        B = boards[U(i)]
        area = np.int64(B.size * B.size)
        for k in range(playouts):
            W.board[U(0)] = B
            over = W.board[U(0)]
            W.length = 0
            scores[U(i * playouts + k)] = finish(over, P, T, W)
            for row in range(1, B.size + 1):
                for p in range(row * STRIDE + 1, row * STRIDE + B.size + 1):
                    owners[U(i * area + board_index(B, p))] += owner(over, p)
