// A playout, move by move with the rule that chose each move, again and again; and what many come to.

import { useEffect, useState } from "preact/hooks";
import type { Board, Playouts, State } from "./messages";
import { placeOf } from "./points";
import { say, update, usePage } from "./store";
import { words } from "./words";

const SPEEDS = [900, 350, 120];
const PAUSE = 1500; // before the next one
const MANY = [100, 2000];

/** The board after so many moves of a playout: stones come, and those that are taken go. */
export function boardAfter(board: Board, played: Playouts, step: number): Board {
  const stones = board.stones.map((row) => [...row]);
  const put = (name: string, sign: number) => {
    const place = placeOf(name, board.size);
    if (place) stones[place[1]]![place[0]] = sign;
  };
  const moves = played.last.slice(0, step);
  for (const { color, move, taken } of moves) {
    put(move, color === "black" ? 1 : -1);
    for (const name of taken) put(name, 0);
  }
  return { ...board, stones, last: moves.at(-1)?.move ?? board.last };
}

export function PlayoutPanel({ game }: { game: State }) {
  const { playouts: found, playing } = usePage();
  const played = found?.node === game.at ? found : null;
  const [speed, setSpeed] = useState(1);
  const [again, setAgain] = useState(false);
  const length = played?.last.length ?? 0;
  const step = Math.min(playing?.step ?? 0, length);
  const running = !!playing?.running;

  const isPaused = !running && step > 0 && step < length;

  const ask = (games: number, restart = false) => say({ type: "playout", games, restart });
  const playOne = () => {
    update({ playing: { step: 0, running: true } });
    ask(1);
  };
  useEffect(() => {
    if (!running || !played) return;
    const isOver = step >= length;
    if (isOver && !again) {
      update({ playing: { step, running: false } });
      return;
    }
    const next = () => (isOver ? playOne() : update({ playing: { step: step + 1, running: true } }));
    const timer = setTimeout(next, isOver ? PAUSE : SPEEDS[speed]);
    return () => clearTimeout(timer);
  }, [running, step, played, speed, again]);
  useEffect(() => () => update({ playing: null }), []);

  const to = (next: number) => update({ playing: { step: Math.max(0, Math.min(length, next)), running: false } });
  const last = played?.last[step - 1];
  return (
    <>
      <section class="card" aria-label={words.playout}>
        <h2>
          {words.playout}
          {played && <span class="figure quiet">{words.playoutKind(played.kind)}</span>}
        </h2>
        <div class="buttons tight">
          <button class="primary" onClick={() => (running ? to(step) : isPaused ? update({ playing: { step, running: true } }) : playOne())}>
            {running ? words.pause : isPaused ? words.resumePlayout : words.playOne}
          </button>
          <button disabled={!played || step === 0} onClick={() => to(step - 1)} aria-label={words.back}>‹</button>
          <button disabled={!played || step >= length} onClick={() => to(step + 1)} aria-label={words.next}>›</button>
          <span class="fill" />
          <select id="speed" aria-label={words.speed} value={speed} onChange={(event) => setSpeed(Number(event.currentTarget.value))}>
            {words.speeds.map((name, i) => (
              <option key={name} value={i}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <label class="switch">
            <input type="checkbox" checked={again} onChange={() => setAgain(!again)} />
            {words.again}
        </label>
        {played ? (
          <>
            <input
              class="steps"
              type="range"
              min="0"
              max={length}
              value={step}
              aria-label={words.moveNumber(step, length)}
              onInput={(event) => to(event.currentTarget.valueAsNumber)}
            />
            <p class="chosen" data-rule={last?.rule ?? ""}>
              {last ? (
                <>
                  <i class={`stone tiny ${last.color}`} /> {step}. <b>{last.move}</b> <span class="rule">{words.rule(last.rule)}</span>
                  <small>{words.ruleTitle(last.rule)}</small>
                </>
              ) : (
                <small>{words.playoutStart}</small>
              )}
            </p>
            {step === length && <p class="result small">{words.result(resultOf(played.last_lead))}</p>}
          </>
        ) : (
          <p class="quiet">{words.playoutEmpty}</p>
        )}
      </section>
      <section class="card" aria-label={words.playouts}>
        <h2>
          {words.playouts}
          {played && <span class="figure quiet">{words.playoutCount(played.games)}</span>}
        </h2>
        <div class="buttons tight">
          {MANY.map((count) => (
            <button key={count} onClick={() => ask(count)}>
              {words.more_(count)}
            </button>
          ))}
          <button disabled={!played} onClick={() => (update({ playouts: null }), ask(1, true))}>
            {words.restart}
          </button>
        </div>
        {played && <Statistics played={played} />}
      </section>
    </>
  );
}

function resultOf(lead: number): string {
  return lead === 0 ? "0" : `${lead > 0 ? "B" : "W"}+${Math.abs(lead)}`;
}

function Statistics({ played }: { played: Playouts }) {
  const { games, black_wins, draws, lead, length, rules } = played;
  const rate = (black_wins + draws / 2) / games;
  const moves = Object.values(rules).reduce((sum, count) => sum + count, 0);
  const used = Object.entries(rules).sort(([, one], [, other]) => other - one);
  return (
    <>
      <p class="figures">
        <span>
          {words.side("black")} <b class="win-rate">{words.percent(rate)}</b>
        </span>
        <span>
          {words.ahead(lead)}
        </span>
        <span>{words.moveCount(length)}</span>
      </p>
      <Histogram played={played} />
      <table class="rules" aria-label={words.rulesUsed}>
        <tbody>
          {used.map(([rule, count]) => (
            <tr key={rule} data-rule={rule} title={words.ruleTitle(rule)}>
              <th scope="row">{words.rule(rule)}</th>
              <td class="bar">
                <i style={{ width: `${(100 * count) / (used[0]?.[1] ?? 1)}%` }} />
              </td>
              <td>{((100 * count) / moves).toFixed(1)} %</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const BARS = 41;
const WIDE = 340;
const HIGH = 90;

/** How the playouts ended: White's wins to the left, Black's to the right. */
function Histogram({ played }: { played: Playouts }) {
  const reach = Math.max(...played.scores.map(([score]) => Math.abs(score!)), 1);
  const bars = new Array<number>(BARS).fill(0);
  for (const [score, count] of played.scores) {
    const place = Math.min(BARS - 1, Math.floor(((score! + reach) / (2 * reach)) * BARS));
    bars[place] = bars[place]! + count!;
  }
  const most = Math.max(...bars, 1);
  const step = WIDE / BARS;
  return (
    <svg class="histogram" viewBox={`0 0 ${WIDE} ${HIGH + 18}`} role="img" aria-label={words.histogram}>
      {bars.map((count, i) => (
        <rect
          key={i}
          class={i > BARS / 2 ? "black" : "white"}
          x={i * step + 0.5}
          y={HIGH - (HIGH * count) / most}
          width={step - 1}
          height={(HIGH * count) / most}
        />
      ))}
      <path d={`M0 ${HIGH}H${WIDE}M${WIDE / 2} ${HIGH}v4`} />
      <text x="0" y={HIGH + 15} class="start">{words.ahead(-reach)}</text>
      <text x={WIDE / 2} y={HIGH + 15}>0</text>
      <text x={WIDE} y={HIGH + 15} class="end">{words.ahead(reach)}</text>
    </svg>
  );
}
