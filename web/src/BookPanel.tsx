// Beside the board while one looks into the opening book: what was played here, how often, how it went.

import { useEffect, useState } from "preact/hooks";
import { play, step } from "./acts";
import type { BookLine, BookShown, State } from "./messages";
import type { MarkShown } from "./Overlay";
import { short } from "./Overlay";
import { Players } from "./PlayPanel";
import { say, usePage } from "./store";
import { words } from "./words";

/** What the book has played here, on the board. */
export function bookMarks(book: BookShown | null): MarkShown[] {
  const first = (book?.lines ?? []).filter((line) => line.line.length === 1);
  const most = Math.max(...first.map((line) => line.games), 1);
  return first.map((line) => ({ move: line.move, text: short(line.games), strength: Math.sqrt(line.games / most) }));
}

export function BookPanel({ game, showLine }: { game: State; showLine: (line: string[] | null) => void }) {
  const { welcome, book: found } = usePage();
  const book = found?.node === game.at ? found : null;
  useEffect(() => say({ type: "lookup" }), [game.game, game.at]);
  const at = game.line.indexOf(game.at);
  return (
    <>
      <Players game={game} />
      <section class="card" aria-label={words.book}>
        <h2>
          {words.bookName(welcome?.book ?? "")}
          {book && <span class="figure quiet">{words.games(book.games)}</span>}
        </h2>
        {book && book.lines.length === 0 && <p class="quiet">{words.bookUnknown}</p>}
        {book && book.lines.length > 0 && <Lines key={game.at} game={game} lines={book.lines} showLine={showLine} />}
        <div class="buttons tight">
          <button disabled={at === 0} onClick={() => step(game, -1000)} aria-label={words.first}>«</button>
          <button disabled={at === 0} onClick={() => step(game, -1)} aria-label={words.back}>‹</button>
          <button disabled={at === game.line.length - 1} onClick={() => step(game, 1)} aria-label={words.next}>›</button>
          <span class="quiet">{words.moveNumber(at, game.line.length - 1)}</span>
        </div>
      </section>
      <p class="quiet note">{words.bookHelp}</p>
    </>
  );
}

function Lines({ game, lines, showLine }: { game: State; lines: BookLine[]; showLine: (line: string[] | null) => void }) {
  const total = lines.filter((line) => line.line.length === 1).reduce((sum, line) => sum + line.games, 0);
  const [opened, setOpened] = useState<string[]>([lines[0]!.move]);
  const keys = new Set(lines.map((line) => line.line.slice(0, -1).join(" ")));
  const shown = lines.filter(({ line }) => line.slice(1).every((_, i) => opened.includes(line.slice(0, i + 1).join(" "))));
  const toggle = (key: string) => setOpened(opened.includes(key) ? opened.filter((other) => other !== key) : [...opened, key]);
  return (
    <table class="candidates book">
      <thead>
        <tr>
          <th scope="col">{words.move}</th>
          <th scope="col">{words.gamesHead}</th>
          <th scope="col" title={words.bookRateTitle}>{words.wins}</th>
          <th scope="col">{words.interval}</th>
        </tr>
      </thead>
      <tbody>
        {shown.map((line) => (
          <tr
            key={line.line.join(" ")}
            class={`depth-${line.line.length}`}
            data-line={line.line.join(" ")}
            onPointerEnter={() => showLine(line.line)}
            onPointerLeave={() => showLine(null)}
          >
            <th scope="row" style={{ paddingLeft: `${(line.line.length - 1) * 18}px` }}>
              <button
                class="fold"
                disabled={!keys.has(line.line.join(" "))}
                aria-expanded={keys.has(line.line.join(" ")) ? opened.includes(line.line.join(" ")) : undefined}
                aria-label={words.whatFollows(line.line.join(" "))}
                onClick={() => toggle(line.line.join(" "))}
              >
                {keys.has(line.line.join(" ")) ? (opened.includes(line.line.join(" ")) ? "▾" : "▸") : ""}
              </button>
              <i class={`stone tiny ${line.color}`} />
              {line.line.length === 1 ? (
                <button class="link" onClick={() => play(game, line.move)} onFocus={() => showLine(line.line)} onBlur={() => showLine(null)}>
                  {line.move}
                </button>
              ) : (
                <span class="later">{line.move}</span>
              )}
              {line.elsewhere && <span title={words.elsewhere}> ↗</span>}
            </th>
            <td class="bar">
              {line.games.toLocaleString("en")}
              <i style={{ width: `${(100 * line.games) / Math.max(total, 1)}%` }} />
            </td>
            <td>{(100 * line.rate).toFixed(0)}</td>
            <td class="quiet">
              {(100 * line.low).toFixed(0)}–{(100 * line.high).toFixed(0)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
