// The page: a board, a panel beside it, and what belongs to both.

import { useEffect, useState } from "preact/hooks";
import { analyse, canAct, copyLink, nextMistake, openFile, otherWay, play, step, switchMode } from "./acts";
import { AnalysePanel } from "./AnalysePanel";
import { Board } from "./Board";
import { Help } from "./Help";
import type { State } from "./messages";
import { NewGame } from "./NewGame";
import type { Layers } from "./Overlay";
import { PlayPanel } from "./PlayPanel";
import { InsidePanel, marksOf, type Layer } from "./InsidePanel";
import { ReviewPanel, reviewOf } from "./ReviewPanel";
import { click } from "./sound";
import { choose, now, say, update, usePage, type Page, type Theme } from "./store";
import { words } from "./words";

const NEXT_THEME: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };
const TOAST = 6000;

export function App() {
  const page = usePage();
  const { game, theme } = page;
  const [line, showLine] = useState<string[] | null>(null);
  const [beside, setBeside] = useState<string | null>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  const [layer, setLayer] = useState<Layer>("visits");
  const [dragging, setDragging] = useState(false);

  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  useEffect(() => showLine(null), [game?.at, game?.game]);
  useEffect(() => {
    if (page.sound && game && game.board.last && game.board.last !== "pass") click();
  }, [game?.at]);
  useEffect(() => {
    const listener = (event: KeyboardEvent) => pressed(event, beside);
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, [beside]);

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setDragging(false);
    const file = event.dataTransfer?.files[0];
    if (file) void openFile(file);
  };
  return (
    <div
      class="page"
      onDragOver={(event) => {
        event.preventDefault();
        setDragging(true);
      }}
      onDragLeave={(event) => event.relatedTarget === null && setDragging(false)}
      onDrop={drop}
    >
      <a class="skip" href="#board" onClick={(event) => (event.preventDefault(), document.getElementById("board")?.focus())}>
        {words.skip}
      </a>
      <Header page={page} />
      {game ? (
        <main class={game.mode}>
          <Board
            game={game}
            layers={layersOf(page, game, line ?? hoveredLine(page, game, hovered), layer)}
            coordinates={page.coordinates}
            act={canAct(game) ? (name) => play(game, name) : null}
            noteAt={(name) => noteAt(page, game, name)}
            onHover={setHovered}
          />
          <aside class="panel" aria-label={words[viewOf(page, game)]}>
            {game.mode === "play" ? (
              <PlayPanel game={game} />
            ) : page.view === "inside" ? (
              <InsidePanel game={game} layer={layer} setLayer={setLayer} showLine={showLine} />
            ) : page.view === "review" ? (
              <ReviewPanel game={game} showLine={showLine} />
            ) : (
              <AnalysePanel game={game} beside={beside} setBeside={setBeside} showLine={showLine} />
            )}
          </aside>
        </main>
      ) : (
        <main class="empty">
          <p>{words.connecting}</p>
        </main>
      )}
      <p class="unseen" role="status">{page.said}</p>
      <Toast page={page} />
      {dragging && <div class="drop">{words.drop}</div>}
      {page.dialog === "new" && page.welcome && <NewGame welcome={page.welcome} />}
      {page.dialog === "help" && <Help />}
    </div>
  );
}

type View = "play" | "analyse" | "review" | "inside";

function viewOf(page: Page, game: State): View {
  return game.mode === "play" ? "play" : page.view;
}

function show(game: State, view: View): void {
  if (view !== "play") update({ view });
  switchMode(game, view === "play" ? "play" : "analyse");
}

function Header({ page }: { page: Page }) {
  const { game, theme, sound } = page;
  const icons: Record<Theme, string> = { auto: "◐", light: "☀", dark: "☾" };
  return (
    <header>
      <h1>
        <img src="/icon.svg" alt="" width="28" height="28" />
        {words.title}
      </h1>
      <nav aria-label={words.title}>
        {(["play", "analyse", "review", "inside"] as const).map((view) => (
          <button
            key={view}
            aria-current={game && viewOf(page, game) === view ? "page" : undefined}
            onClick={() => game && show(game, view)}
          >
            {words[view]}
          </button>
        ))}
      </nav>
      <div class="icons">
        <button aria-label={sound ? words.soundOn : words.soundOff} title={sound ? words.soundOn : words.soundOff} aria-pressed={sound} onClick={() => choose({ sound: !sound })}>
          {sound ? "♪" : <s>♪</s>}
        </button>
        <button aria-label={words.theme[theme]} title={words.theme[theme]} onClick={() => choose({ theme: NEXT_THEME[theme] })}>
          {icons[theme]}
        </button>
        <button aria-label={words.help} title={words.help} onClick={() => update({ dialog: "help" })}>
          ?
        </button>
      </div>
    </header>
  );
}

/** Why something could not be done; it goes away by itself. */
function Toast({ page }: { page: Page }) {
  const { problem, connected, game } = page;
  useEffect(() => {
    if (!problem) return;
    const timer = setTimeout(() => update({ problem: null }), TOAST);
    return () => clearTimeout(timer);
  }, [problem]);
  const text = !connected && game ? words.offline : problem?.text;
  return (
    <div class="toasts" role="alert">
      {text && <p class="toast">{text}</p>}
    </div>
  );
}

/** What is drawn over the board now. */
function layersOf(page: Page, game: State, line: string[] | null, layer: Layer): Layers {
  const layers: Layers = {};
  const [first, second] = page.analyses.map((found) => (found?.node === game.at ? found : null));
  const judged = reviewOf(game, page.reviewed)?.moves.find((move) => move.before === game.at);
  if (viewOf(page, game) === "inside") {
    layers.marks = marksOf(page.inside?.node === game.at ? page.inside : null, layer);
    if (line) layers.line = line;
  } else if (viewOf(page, game) === "review") {
    if (judged?.verdict) Object.assign(layers, { hint: judged.best, wrong: judged.move });
    if (line) layers.line = line;
  } else if (game.mode === "analyse") {
    if (page.showMoves && first) layers.candidates = first.candidates;
    if (page.showMoves && second) layers.beside = second.candidates;
    if (page.showOwners && first) layers.owners = first.ownership;
    if (line) layers.line = line;
  } else if (game.count) {
    layers.owners = game.count.owners;
    layers.dead = game.count.dead;
  } else if (page.estimate?.node === game.at) {
    layers.owners = page.estimate.ownership;
  }
  if (page.hint?.node === game.at && game.mode === "play") layers.hint = page.hint.move;
  return layers;
}

/** The expected moves after the candidate under the pointer. */
function hoveredLine(page: Page, game: State, name: string | null): string[] | null {
  if (viewOf(page, game) !== "analyse" || !page.showMoves) return null;
  const found = page.analyses[0]?.node === game.at ? page.analyses[0] : null;
  return found?.candidates.slice(0, 12).find((candidate) => candidate.move === name)?.line ?? null;
}

/** What the search says of a point, for those who do not see it. */
function noteAt(page: Page, game: State, name: string): string {
  const found = page.analyses[0]?.node === game.at ? page.analyses[0] : null;
  const candidate = found?.candidates.find(({ move }) => move === name);
  if (!candidate || game.mode !== "analyse") return "";
  return `, ${words.wins} ${words.percent(candidate.win_rate)}, ${candidate.visits} ${words.visits}`;
}

function pressed(event: KeyboardEvent, beside: string | null): void {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog")) return;
  const { game, showOwners } = now();
  if (!game) return;
  if (event.key === " " && target.closest("button:not(:disabled), summary, a")) return;
  const keys: Record<string, () => void> = {
    p: () => say({ type: "play", move: "pass", at: game.at }),
    u: () => say({ type: "undo" }),
    h: () => say({ type: "hint" }),
    e: () => say({ type: "estimate" }),
    n: () => update({ dialog: "new" }),
    s: () => say({ type: "save" }),
    l: () => void copyLink(game),
    a: () => show(game, game.mode === "play" || now().view !== "analyse" ? "analyse" : "play"),
    r: () => show(game, "review"),
    i: () => show(game, "inside"),
    m: () => nextMistake(game, reviewOf(game, now().reviewed)),
    o: () => choose({ showOwners: !showOwners }),
    v: () => otherWay(game),
    "[": () => step(game, -1),
    "]": () => step(game, 1),
    "{": () => step(game, -1000),
    "}": () => step(game, 1000),
    "?": () => update({ dialog: "help" }),
    " ": () => (game.mode === "analyse" ? analyse(game, !game.analysing, beside) : say({ type: "stop" })),
  };
  const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (act) {
    act();
    event.preventDefault();
  }
}
