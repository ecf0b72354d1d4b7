// A match: its score with the interval, game by game, its test, and its games to look at.

import type { MatchLine, MatchShown, SprtState } from "./messages";
import { lookAt, say, usePage } from "./store";
import { words } from "./words";

/** The Elo difference with its interval; beyond what the games can tell, an arrow. */
export function Elo({ match }: { match: MatchLine }) {
  if (!match.games) return <>–</>;
  return <>{elo(match.elo, match.rate)}</>;
}

function elo(value: number | null, rate: number): string {
  if (value === null) return rate > 0.5 ? "+∞" : "−∞";
  return `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(0)}`;
}

export function MatchView() {
  const { match: shown, matches } = usePage();
  if (!shown) return <p class="quiet note">{words.chooseMatch}</p>;
  const match = matches?.matches.find((line) => line.id === shown.match.id) ?? shown.match;
  return (
    <>
      <section class="card" aria-label={match.name}>
        <h2 class="big">
          <span>
            {match.running && <i class="live" title={words.running} />} {match.name}
          </span>
          <span class="quiet">{words.boardAndKomi(match.size, match.komi)}</span>
        </h2>
        <p class="versus">
          <code>{match.first}</code> <span class="quiet">{words.against}</span> <code>{match.second}</code>
        </p>
        <div class="scores">
          <Figure name={words.score} value={`${(100 * match.rate).toFixed(1)} %`} about={`${(100 * match.low).toFixed(1)} – ${(100 * match.high).toFixed(1)}`} />
          <Figure
            name={words.elo}
            value={elo(match.elo, match.rate)}
            about={`${elo(match.elo_low, 0)} – ${elo(match.elo_high, 1)}`}
          />
          <Figure name={words.wonLostDrawn} value={`${match.wins} – ${match.losses} – ${match.draws}`} about={words.gamesOf(match.games, match.asked)} />
        </div>
        {match.sprt && <Test sprt={match.sprt} />}
        {shown.numbers.length > 1 && <ScoreCurve shown={shown} />}
      </section>
      <Games shown={shown} />
    </>
  );
}

function Figure({ name, value, about }: { name: string; value: string; about: string }) {
  return (
    <div class="score-figure">
      <small>{name}</small>
      <b>{value}</b>
      <small>{about}</small>
    </div>
  );
}

/** Where the log-likelihood ratio stands between its bounds. */
function Test({ sprt }: { sprt: SprtState }) {
  const place = Math.max(0, Math.min(1, (sprt.ratio - sprt.low) / (sprt.high - sprt.low)));
  return (
    <div class="sprt">
      <p>
        {words.sprt(sprt.elo0, sprt.elo1)} <b>{sprt.accepted === null ? words.sprtOpen : words.sprtAccepted(sprt.accepted)}</b>
      </p>
      <div class="gauge" role="img" aria-label={words.sprtTold(sprt.ratio, sprt.low, sprt.high)}>
        <i style={{ left: `${100 * place}%` }} />
      </div>
      <p class="ends">
        <small>{words.hundredths(sprt.low)}</small>
        <small>{words.llr(sprt.ratio)}</small>
        <small>{words.hundredths(sprt.high)}</small>
      </p>
    </div>
  );
}

const WIDE = 640;
const HIGH = 150;

/** The score after every game, and the interval round it. */
function ScoreCurve({ shown }: { shown: MatchShown }) {
  const { numbers, rates, lows, highs } = shown;
  const last = numbers.at(-1) ?? 1;
  const x = (i: number) => ((numbers[i]! / last) * WIDE).toFixed(1);
  const y = (rate: number) => ((1 - rate) * HIGH).toFixed(1);
  const along = (list: number[]) => list.map((rate, i) => `${x(i)} ${y(rate)}`);
  const band = [...along(highs), ...along(lows).reverse()].join("L");
  return (
    <svg class="score-curve" viewBox={`-48 -10 ${WIDE + 60} ${HIGH + 32}`} role="img" aria-label={words.scoreCurve}>
      {[0, 0.5, 1].map((rate) => (
        <g key={rate}>
          <path class="grid" d={`M0 ${y(rate)}H${WIDE}`} />
          <text x="-6" y={Number(y(rate)) + 4} class="end">{100 * rate} %</text>
        </g>
      ))}
      <path class="band" d={`M${band}Z`} />
      <path class="curve-line" d={`M${along(rates).join("L")}`} />
      <text x="0" y={HIGH + 17} class="start">1</text>
      <text x={WIDE} y={HIGH + 17} class="end">{last.toLocaleString("en")}</text>
    </svg>
  );
}

function Games({ shown }: { shown: MatchShown }) {
  const open = (number: number) => {
    lookAt({ view: "analyse", laboratory: false });
    say({ type: "opengame", match: shown.match.id, number });
  };
  return (
    <section class="card" aria-label={words.gamesHead}>
      <h2>
        {words.gamesHead}
        {shown.games.length < shown.total && <span class="figure quiet">{words.latestOf(shown.games.length, shown.total)}</span>}
      </h2>
      <div class="scrolled" tabIndex={0} role="region" aria-label={words.gamesHead}>
        <table class="games">
          <thead>
            <tr>
              <th scope="col">{words.game}</th>
              <th scope="col">{words.firstPlays}</th>
              <th scope="col">{words.resultHead}</th>
              <th scope="col">{words.endedBy}</th>
              <th scope="col">{words.movesHead}</th>
            </tr>
          </thead>
          <tbody>
            {[...shown.games].reverse().map((game) => (
              <tr key={game.number} class={game.winner === "first" ? "won" : game.winner ? "lost" : ""}>
                <th scope="row">
                  <button class="link" disabled={!game.is_kept} onClick={() => open(game.number)}>
                    {game.number}
                  </button>
                </th>
                <td>
                  <i class={`stone tiny ${game.black === "first" ? "black" : "white"}`} title={words.side(game.black === "first" ? "black" : "white")} />
                </td>
                <td>
                  {game.winner === "first" ? "✓ " : ""}
                  {game.result}
                </td>
                <td>{game.reason}</td>
                <td>{game.moves}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
