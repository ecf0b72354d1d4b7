// Beside the board while a game is reviewed: the curve, the mistakes, and what would have been better.

import { useState } from "preact/hooks";
import { go, step } from "./acts";
import { Curve } from "./Curve";
import { Files } from "./Files";
import type { Reviewed, ReviewedMove, State } from "./messages";
import { Players } from "./PlayPanel";
import { say, usePage } from "./store";
import { words } from "./words";

const DEPTHS = [200, 1000, 5000];
const MOST = 12;

interface Props {
  game: State;
  showLine: (line: string[] | null) => void;
}

/** The review, if it is of the line that is shown. */
export function reviewOf(game: State, reviewed: Reviewed | null): Reviewed | null {
  const known = new Set(game.nodes.map((node) => node.id));
  return reviewed && reviewed.moves.every((move) => known.has(move.node)) ? reviewed : null;
}

export function mistakes(reviewed: Reviewed): ReviewedMove[] {
  return reviewed.moves.filter((move) => move.verdict);
}

export function ReviewPanel({ game, showLine }: Props) {
  const reviewed = reviewOf(game, usePage().reviewed);
  const at = game.line.indexOf(game.at);
  return (
    <>
      <Players game={game} />
      <Control game={game} reviewed={reviewed} />
      <Curve
        game={game}
        go={(node) => go(game, node)}
        marks={reviewed ? mistakes(reviewed).map((move) => ({ node: move.node, bad: move.verdict === "bad" })) : []}
      />
      <div class="buttons tight center" role="group" aria-label={words.tree}>
        <button disabled={at === 0} onClick={() => step(game, -1)}>
          {words.back}
        </button>
        <span class="quiet">{words.moveNumber(at, game.line.length - 1)}</span>
        <button disabled={at === game.line.length - 1} onClick={() => step(game, 1)}>
          {words.next}
        </button>
      </div>
      {reviewed && <Mistakes game={game} reviewed={reviewed} showLine={showLine} />}
      <Files game={game} />
    </>
  );
}

/** Start and stop it, see how far it is, and keep it. */
function Control({ game, reviewed }: { game: State; reviewed: Reviewed | null }) {
  const [depth, setDepth] = useState(1000);
  const begin = () => say({ type: "review", on: true, simulations: depth });
  return (
    <section class="card" aria-label={words.review}>
      <div class="buttons tight spread">
        {game.reviewing ? (
          <button onClick={() => say({ type: "review", on: false })}>{words.stop}</button>
        ) : (
          <button class="primary" disabled={game.line.length < 2} onClick={begin}>
            {words.reviewGame}
          </button>
        )}
        <select
          id="depth"
          aria-label={words.reviewDepth}
          value={depth}
          onChange={(event) => setDepth(Number(event.currentTarget.value))}
        >
          {DEPTHS.map((count) => (
            <option key={count} value={count}>
              {words.depth(count)}
            </option>
          ))}
        </select>
      </div>
      {game.reviewing && (
        <progress max={reviewed?.total ?? 1} value={reviewed?.done ?? 0} aria-label={words.reviewing} />
      )}
      {!game.reviewing && !reviewed && <p class="quiet">{words.reviewEmpty}</p>}
      {!game.reviewing && reviewed && (
        <>
          <p class="quiet">{words.reviewBy(reviewed.by, reviewed.done, reviewed.total)}</p>
          <div class="buttons tight spread">
            <button onClick={() => say({ type: "save", what: "review" })}>{words.saveReview}</button>
            <button onClick={() => say({ type: "save", what: "page" })}>{words.savePage}</button>
          </div>
        </>
      )}
    </section>
  );
}

function Mistakes({ game, reviewed, showLine }: Props & { reviewed: Reviewed }) {
  const worst = [...mistakes(reviewed)].sort((one, other) => other.loss - one.loss).slice(0, MOST);
  worst.sort((one, other) => one.number - other.number);
  return (
    <section class="card" aria-label={words.mistakes}>
      <h2>
        {words.mistakes}
        <span class="figure quiet">{mistakes(reviewed).length}</span>
      </h2>
      {worst.length === 0 ? (
        <p class="quiet">{words.noMistakes}</p>
      ) : (
        <table class="candidates mistakes">
          <thead>
            <tr>
              <th scope="col">{words.move}</th>
              <th scope="col" title={words.lossTitle}>
                {words.loss}
              </th>
              <th scope="col" title={words.pointsTitle}>
                {words.points}
              </th>
              <th scope="col">{words.better}</th>
            </tr>
          </thead>
          <tbody>
            {worst.map((move) => (
              <tr
                key={move.node}
                class={game.at === move.before ? "here" : ""}
                onPointerEnter={() => game.at === move.before && showLine(move.line)}
                onPointerLeave={() => showLine(null)}
              >
                <th scope="row">
                  <button class="link" onClick={() => go(game, move.before)}>
                    <i class={`stone tiny ${move.color}`} /> {move.number}. {move.move}
                    <span class={`verdict ${move.verdict}`} title={words.verdict[move.verdict as "bad"]}>
                      {move.verdict === "bad" ? "??" : "?"}
                    </span>
                  </button>
                </th>
                <td>{(100 * move.loss).toFixed(0)}</td>
                <td>{words.decimal(move.points_lost)}</td>
                <td>
                  <button
                    class="link"
                    onClick={() => go(game, move.before)}
                    onFocus={() => game.at === move.before && showLine(move.line)}
                    onBlur={() => showLine(null)}
                  >
                    {move.best}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
