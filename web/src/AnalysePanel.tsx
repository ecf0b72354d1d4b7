// Beside the board while a position is analysed.

import { analyse, go, otherWay, play, step, switchMode } from "./acts";
import { Curve } from "./Curve";
import { Files } from "./Files";
import type { Analysis, State } from "./messages";
import { short } from "./Overlay";
import { Players } from "./PlayPanel";
import { choose, say, update, usePage } from "./store";
import { Tree } from "./Tree";
import { words } from "./words";

const ROWS = 8;
const ROWS_COMPARED = 5;

interface Props {
  game: State;
  showLine: (line: string[] | null, which?: 0 | 1) => void;
}

export function AnalysePanel({ game, showLine }: Props) {
  const { welcome, showMoves, showOwners, beside } = usePage();
  return (
    <>
      <Players game={game} />
      <section class="card" aria-label={words.candidates}>
        <div class="buttons tight">
          <button class={game.analysing ? "" : "primary"} onClick={() => analyse(game, !game.analysing, beside)}>
            {game.analysing ? words.stop : words.live}
          </button>
          <label class="switch">
            <input type="checkbox" checked={showMoves} onChange={() => choose({ showMoves: !showMoves })} />
            {words.moves}
          </label>
          <label class="switch">
            <input type="checkbox" checked={showOwners} onChange={() => choose({ showOwners: !showOwners })} />
            {words.owners}
          </label>
        </div>
        {!beside && <Found game={game} which={0} showLine={showLine} />}
        <div class="fields two">
          <label>
            {words.recipe}
            <select
              id="analyse-recipe"
              value={game.settings.recipe}
              onChange={(event) => say({ type: "change", recipe: event.currentTarget.value })}
            >
              {welcome?.recipes.map((name) => <option key={name}>{name}</option>)}
            </select>
          </label>
          <label>
            {words.compare}
            <select
              id="beside"
              value={beside ?? ""}
              onChange={(event) => {
                const chosen = event.currentTarget.value || null;
                update({ beside: chosen });
                if (game.analysing) analyse(game, true, chosen);
              }}
            >
              <option value="">{words.nobody}</option>
              {welcome?.recipes.map((name) => <option key={name}>{name}</option>)}
            </select>
          </label>
        </div>
      </section>
      <Moves game={game} />
      <Curve game={game} go={(node) => go(game, node)} />
      <Files game={game} />
    </>
  );
}

/** What one recipe has found: a line of figures, and a table. */
export function Found({ game, which, showLine }: { game: State; which: 0 | 1; showLine: Props["showLine"] }) {
  const found = usePage().analyses[which];
  const ended = game.board.last === "pass" && game.nodes.find((n) => n.id === game.nodes.find((m) => m.id === game.at)?.parent)?.move === "pass";
  if (!found || found.node !== game.at) {
    return which === 0 ? <p class="quiet">{ended ? words.gameEnded : game.analysing ? `${words.waiting} …` : words.candidatesEmpty}</p> : null;
  }
  return (
    <div class={`found ${which ? "second" : "first"}`}>
      <p class="figures">
        <b>{found.recipe}</b>
        <span>{words.side("black")} {words.percent(found.win_rate)}</span>
        <span>{words.ahead(found.lead)}</span>
        <span>{short(found.simulations)} · {words.seconds(found.seconds)}</span>
      </p>
      <Table found={found} game={game} showLine={(line) => showLine(line, which)} />
    </div>
  );
}

function Table({ found, game, showLine }: { found: Analysis; game: State; showLine: Props["showLine"] }) {
  const rows = usePage().beside ? ROWS_COMPARED : ROWS;
  return (
    <table class="candidates">
      <thead>
        <tr>
          <th scope="col">{words.move}</th>
          <th scope="col" title={words.winsTitle}>{words.wins}</th>
          <th scope="col" title={words.leadTitle}>{words.leadShort}</th>
          <th scope="col" title={words.visitsTitle}>{words.visits}</th>
          <th scope="col" title={words.priorTitle}>{words.prior}</th>
        </tr>
      </thead>
      <tbody>
        {found.candidates.slice(0, rows).map((candidate) => (
          <tr
            key={candidate.move}
            data-move={candidate.move}
            onPointerEnter={() => showLine(candidate.line)}
            onPointerLeave={() => showLine(null)}
          >
            <th scope="row">
              <button
                class="link"
                onClick={() => play(game, candidate.move)}
                onFocus={() => showLine(candidate.line)}
                onBlur={() => showLine(null)}
              >
                {candidate.move}
              </button>
            </th>
            <td>{(100 * candidate.win_rate).toFixed(1)}</td>
            <td>{words.decimal(candidate.lead)}</td>
            <td>{candidate.visits.toLocaleString("en")}</td>
            <td>{(100 * candidate.prior).toFixed(1)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Moves({ game }: { game: State }) {
  const at = game.line.indexOf(game.at);
  const last = game.line.length - 1;
  const here = game.nodes.find((node) => node.id === game.at);
  const ways = game.nodes.filter((node) => node.parent !== null && node.parent === here?.parent).length;
  return (
    <section class="card" aria-label={words.tree}>
      <h2>
        {words.tree}
        <span class="figure quiet">{words.moveNumber(at, last)}</span>
      </h2>
      <Tree game={game} go={(node) => go(game, node)} />
      <div class="buttons tight">
        <button disabled={at === 0} onClick={() => step(game, -1000)} aria-label={words.first}>«</button>
        <button disabled={at === 0} onClick={() => step(game, -1)} aria-label={words.back}>‹</button>
        <button disabled={at === last} onClick={() => step(game, 1)} aria-label={words.next}>›</button>
        <button disabled={at === last} onClick={() => step(game, 1000)} aria-label={words.last}>»</button>
        <button disabled={ways < 2} onClick={() => otherWay(game)} aria-label={words.otherWay} title={words.otherWay}>⇅</button>
        <button disabled={at === 0} onClick={() => say({ type: "remove", node: game.at })} aria-label={words.remove} title={words.remove}>×</button>
        <button onClick={() => say({ type: "play", move: "pass", at: game.at })}>{words.pass}</button>
      </div>
      <div class="buttons">
        <button onClick={() => switchMode(game, "play")}>{words.playHere}</button>
      </div>
    </section>
  );
}
