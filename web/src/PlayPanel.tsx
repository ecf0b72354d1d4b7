// Beside the board while a game is played.

import { useState } from "preact/hooks";
import { analyse, canAct, go, step, switchMode } from "./acts";
import { Curve } from "./Curve";
import { Files } from "./Files";
import type { State } from "./messages";
import { Strength } from "./NewGame";
import { say, update, usePage } from "./store";
import { words } from "./words";

export function PlayPanel({ game }: { game: State }) {
  return (
    <>
      <Players game={game} />
      <Status game={game} />
      {game.phase === "scoring" && <Scoring game={game} />}
      {game.phase === "over" && <Over game={game} />}
      {game.phase === "playing" && <Actions game={game} />}
      <Said />
      <Curve game={game} go={game.phase === "over" ? (node) => go(game, node) : null} />
      <Opponent game={game} />
      <Files game={game} />
    </>
  );
}

export function Players({ game }: { game: State }) {
  const { to_play, black_captured, white_captured } = game.board;
  const sides = [
    { side: "black" as const, name: game.black, taken: white_captured },
    { side: "white" as const, name: game.white, taken: black_captured },
  ];
  return (
    <div class="players">
      {sides.map(({ side, name, taken }) => (
        <div key={side} class={`player ${game.phase !== "over" && to_play === side ? "turn" : ""}`}>
          <i class={`stone ${side}`} aria-hidden="true" />
          <div>
            <b class="name">{name}</b>
            <small>{words.captured(taken)}</small>
          </div>
          {side === "white" && <small class="komi">{words.komiTold(game.settings.komi)}</small>}
        </div>
      ))}
    </div>
  );
}

/** The seconds that the program has thought about its moves on the way here. */
function clock(game: State): number {
  const nodes = new Map(game.nodes.map((node) => [node.id, node]));
  const past = game.line.slice(0, game.line.indexOf(game.at) + 1);
  return past.reduce((sum, id) => sum + (nodes.get(id)?.seconds ?? 0), 0);
}

/** Whose turn it is, and how far the program is. */
function Status({ game }: { game: State }) {
  const { thinking } = usePage();
  const user = game.settings.user;
  const told = {
    move: words.thinks,
    hint: words.hinting,
    estimate: words.estimating,
    count: words.counting,
  };
  if (game.phase === "over") return null;
  if (!game.working) {
    if (game.phase === "scoring") return null;
    const yours = user !== "both";
    const passed = game.board.last === "pass";
    return (
      <p class="status">
        {passed && `${words.passes(game.board.to_play === "black" ? "white" : "black")}. `}
        {yours ? words.yourTurn : words.toPlay(game.board.to_play)}
        {clock(game) > 0 && <small class="clock">{words.thought(clock(game))}</small>}
      </p>
    );
  }
  return (
    <div class="status busy">
      <p>
        {told[game.working]} …
        {thinking && game.working === "move" && (
          <small>
            {words.simulations(thinking.simulations)} · {words.clock(thinking.seconds)}
            {clock(game) > 0 && ` · ${words.inAll(clock(game) + thinking.seconds)}`}
          </small>
        )}
      </p>
      {game.working === "move" && (
        <>
          <progress max="1" value={thinking?.share ?? 0} aria-label={words.thinks} />
          <button class="small" onClick={() => say({ type: "stop" })}>
            {words.moveNow}
          </button>
        </>
      )}
    </div>
  );
}

function Actions({ game }: { game: State }) {
  const may = canAct(game) && !game.working;
  return (
    <div class="buttons actions">
      <button disabled={!canAct(game)} onClick={() => say({ type: "play", move: "pass", at: game.at })}>
        {words.pass}
      </button>
      <button disabled={game.line.length < 2} onClick={() => say({ type: "undo" })}>
        {words.undo}
      </button>
      <button disabled={!may} onClick={() => say({ type: "hint" })}>
        {words.hint}
      </button>
      <button disabled={!may} onClick={() => say({ type: "estimate" })}>
        {words.estimate}
      </button>
      <button onClick={() => say({ type: "resign" })}>{words.resign}</button>
    </div>
  );
}

/** What a hint or an estimate has said. */
function Said() {
  const { hint, estimate } = usePage();
  if (!hint && !estimate) return null;
  return (
    <section class="card said">
      {hint && (
        <p>
          <b>{words.hinted(hint.move)}</b> <span class="quiet">{words.hintWhy(hint.win_rate, hint.simulations)}</span>
        </p>
      )}
      {estimate && (
        <p>
          <b>{words.lead(estimate.lead)}</b>
        </p>
      )}
    </section>
  );
}

function CountTable({ game }: { game: State }) {
  const count = game.count;
  if (!count) return null;
  const rows: [string, number | string, number | string][] = [
    [count.territory ? words.territory : words.area, count.black, count.white],
    [words.komi, "", count.komi],
    [words.total, count.black, count.white + count.komi],
  ];
  return (
    <table class="count">
      <thead>
        <tr>
          {words.countHead.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([head, black, white]) => (
          <tr key={head}>
            <th scope="row">{head}</th>
            <td>{black}</td>
            <td>{white}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Scoring({ game }: { game: State }) {
  if (!game.count) return null;
  return (
    <section class="card" aria-label={words.scoring}>
      <h2>{words.scoring}</h2>
      <p class="quiet">{words.scoringHelp}</p>
      <CountTable game={game} />
      <p class="result">{words.result(game.count.result)}</p>
      <div class="buttons">
        <button class="primary" onClick={() => say({ type: "agree" })}>
          {words.agree}
        </button>
        <button onClick={() => say({ type: "resume" })}>{words.resume}</button>
      </div>
    </section>
  );
}

function Over({ game }: { game: State }) {
  const at = game.line.indexOf(game.at);
  return (
    <section class="card" aria-label={words.gameOver}>
      <h2>{words.gameOver}</h2>
      <p class="result">{words.result(game.result)}</p>
      <CountTable game={game} />
      <div class="buttons">
        <button class="primary" onClick={() => update({ dialog: "new" })}>
          {words.newGame}
        </button>
        <button
          onClick={() => {
            switchMode(game, "analyse");
            analyse({ ...game, mode: "analyse" }, true, null);
          }}
        >
          {words.analyse}
        </button>
        <button onClick={() => say({ type: "resume" })}>{words.resume}</button>
      </div>
      <div class="buttons tight" role="group" aria-label={words.tree}>
        <button disabled={at === 0} onClick={() => step(game, -1)}>
          {words.back}
        </button>
        <span class="quiet">{words.moveNumber(at, game.line.length - 1)}</span>
        <button disabled={at === game.line.length - 1} onClick={() => step(game, 1)}>
          {words.next}
        </button>
      </div>
    </section>
  );
}

/** Who plays, and how strongly; it can be changed in the middle of a game. */
function Opponent({ game }: { game: State }) {
  const { welcome } = usePage();
  const [limit, setLimit] = useState(game.settings.limit);
  if (!welcome || game.settings.user === "both") return null;
  return (
    <details class="card">
      <summary>
        {words.opponent}
        <small>
          {game.settings.recipe} · {words.limitTold(game.settings)}
        </small>
      </summary>
      <Strength
        limit={limit}
        welcome={welcome}
        change={(next) => {
          setLimit(next);
          if (Number.isFinite(next.amount)) say({ type: "change", limit: next });
        }}
      />
      <label class="field">
        {words.recipe}
        <select value={game.settings.recipe} onChange={(event) => say({ type: "change", recipe: event.currentTarget.value })}>
          {welcome.recipes.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <p class="quiet">{words.recipeNote}</p>
    </details>
  );
}
