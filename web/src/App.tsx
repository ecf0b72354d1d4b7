// The page: a board, a panel beside it, and what belongs to both.

import { useEffect, useState } from "preact/hooks";
import { analyse, canAct, copyLink, nextMistake, openFile, otherWay, play, step, switchMode } from "./acts";
import { AnalysePanel, Found } from "./AnalysePanel";
import { Board } from "./Board";
import { bookMarks, BookPanel } from "./BookPanel";
import { Help } from "./Help";
import type { Analysis, State } from "./messages";
import { NewGame } from "./NewGame";
import type { Layers } from "./Overlay";
import { PlayPanel } from "./PlayPanel";
import { InsidePanel } from "./InsidePanel";
import { LaboratoryPage } from "./LaboratoryPage";
import { marksOf } from "./Layers";
import { boardAfter } from "./PlayoutPanel";
import { ReviewPanel, reviewOf } from "./ReviewPanel";
import { click } from "./sound";
import { choose, lookAt, now, say, update, usePage, type Page, type Theme } from "./store";
import { words } from "./words";

const NEXT_THEME: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };
const TOAST = 6000;
const EVERYWHERE = ["a", "r", "i", "b", "t", "?"]; // keys that mean something without a board

export function App() {
  const page = usePage();
  const { game, theme } = page;
  const [line, setLine] = useState<{ line: string[]; which: 0 | 1 } | null>(null);
  const showLine = (moves: string[] | null, which: 0 | 1 = 0) => setLine(moves && { line: moves, which });
  const [hovered, setHovered] = useState<string | null>(null);
  const [dragging, setDragging] = useState(false);

  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  useEffect(() => showLine(null), [game?.at, game?.game]);
  useEffect(() => {
    if (page.sound && game && game.board.last && game.board.last !== "pass") click();
  }, [game?.at]);
  useEffect(() => {
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);

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
      {page.laboratory ? (
        <LaboratoryPage />
      ) : game ? (
        <main class={`${game.mode} ${isWide(page, game) ? "wide" : ""}`}>
          <div class={`boards ${compares(page, game) ? "two" : ""}`}>
            {(compares(page, game) ? ([0, 1] as const) : ([0] as const)).map((which) => (
              <Board
                key={which}
                which={which}
                title={compares(page, game) ? titleOf(page, game, which) : null}
                game={shownGame(page, game)}
                layers={layersOf(page, game, which, line?.which === which ? line.line : hoveredLine(page, game, which, hovered))}
                coordinates={page.coordinates}
                act={canAct(game) && !played(page, game) ? (name) => play(game, name) : null}
                noteAt={(name) => noteAt(page, game, which, name)}
                onHover={setHovered}
              >
                {compares(page, game) && <Found game={game} which={which} showLine={showLine} />}
              </Board>
            ))}
          </div>
          <aside class="panel" aria-label={words[viewOf(page, game)]}>
            {game.mode === "play" ? (
              <PlayPanel game={game} />
            ) : page.view === "inside" ? (
              <InsidePanel game={game} hovered={hovered} showLine={showLine} />
            ) : page.view === "book" ? (
              <BookPanel game={game} showLine={showLine} />
            ) : page.view === "review" ? (
              <ReviewPanel game={game} showLine={showLine} />
            ) : (
              <AnalysePanel game={game} showLine={showLine} />
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

type View = "play" | "analyse" | "review" | "inside" | "book" | "laboratory";

function viewOf(page: Page, game: State): View {
  if (page.laboratory) return "laboratory";
  return game.mode === "play" ? "play" : page.view;
}

/** The views that there are: not everybody has results or a book. */
function views(page: Page): View[] {
  const { welcome } = page;
  const more: View[] = [...(welcome?.book ? (["book"] as const) : []), ...(welcome?.laboratory ? (["laboratory"] as const) : [])];
  return ["play", "analyse", "review", "inside", ...more];
}

function show(game: State, view: View): void {
  lookAt({ laboratory: view === "laboratory" });
  if (view === "laboratory") return;
  if (view !== "play") lookAt({ view });
  switchMode(game, view === "play" ? "play" : "analyse");
}

/** Whether two recipes look at the position, each on a board of its own. */
function compares(page: Page, game: State): boolean {
  return viewOf(page, game) === "analyse" && !!page.beside;
}

/** Whose board it is, and what it thinks. */
function titleOf(page: Page, game: State, which: 0 | 1): string {
  const found = foundAt(page, game, which);
  const recipe = which ? page.beside! : game.settings.recipe;
  return found ? words.boardTitle(recipe, found.win_rate) : recipe;
}

function foundAt(page: Page, game: State, which: 0 | 1): Analysis | null {
  const found = page.analyses[which];
  return found?.node === game.at ? found : null;
}

/** Whether the picture of the tree takes room from the board. */
function isWide(page: Page, game: State): boolean {
  return page.wideTree && viewOf(page, game) === "inside" && page.insideTab === "tree";
}

/** The playout that is shown on the board. */
function played(page: Page, game: State): Page["playouts"] {
  return page.playing && page.playouts?.node === game.at && viewOf(page, game) === "inside" ? page.playouts : null;
}

function shownGame(page: Page, game: State): State {
  const found = played(page, game);
  return found ? { ...game, board: boardAfter(game.board, found, page.playing!.step) } : game;
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
        {views(page).map((view) => (
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

/** Why something could not be done, or that it was; it goes away by itself. */
function Toast({ page }: { page: Page }) {
  const { problem, notice, connected, game } = page;
  useEffect(() => {
    if (!problem && !notice) return;
    const timer = setTimeout(() => update({ problem: null, notice: null }), TOAST);
    return () => clearTimeout(timer);
  }, [problem, notice]);
  const text = !connected && game ? words.offline : problem?.text;
  return (
    <div class="toasts">
      <div role="alert">{text && <p class="toast">{text}</p>}</div>
      {notice && !text && (
        <p class="toast" aria-hidden="true">
          {notice}
        </p>
      )}
    </div>
  );
}

/** What is drawn over the board now. */
function layersOf(page: Page, game: State, which: 0 | 1, line: string[] | null): Layers {
  const layers: Layers = {};
  const found = foundAt(page, game, which);
  const judged = reviewOf(game, page.reviewed)?.moves.find((move) => move.before === game.at);
  if (viewOf(page, game) === "inside") {
    Object.assign(layers, insideLayers(page, game));
    if (line) layers.line = line;
  } else if (viewOf(page, game) === "book") {
    layers.marks = bookMarks(page.book?.node === game.at ? page.book : null);
    if (line) layers.line = line;
  } else if (viewOf(page, game) === "review") {
    if (judged?.verdict) Object.assign(layers, { hint: judged.best, wrong: judged.move });
    if (line) layers.line = line;
  } else if (game.mode === "analyse") {
    if (page.showMoves && found) layers.candidates = found.candidates;
    if (page.showOwners && found) layers.owners = found.ownership;
    layers.second = which === 1;
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

/** Inside the search: a playout as far as it is, or the layer that was chosen. */
function insideLayers(page: Page, game: State): Layers {
  const found = played(page, game);
  if (found) {
    const last = found.last[page.playing!.step - 1];
    return last ? { rule: { move: last.move, text: words.rule(last.rule) } } : {};
  }
  const inside = page.inside?.node === game.at ? page.inside : null;
  const known = page.known?.node === game.at ? page.known : null;
  if (page.layer === "owners") return inside ? { owners: inside.ownership } : {};
  return { marks: marksOf(inside, known, page.layer, game.board.size) };
}

/** The expected moves after the candidate under the pointer. */
function hoveredLine(page: Page, game: State, which: 0 | 1, name: string | null): string[] | null {
  if (viewOf(page, game) !== "analyse" || !page.showMoves) return null;
  return foundAt(page, game, which)?.candidates.slice(0, 12).find((candidate) => candidate.move === name)?.line ?? null;
}

/** What the search says of a point, for those who do not see it. */
function noteAt(page: Page, game: State, which: 0 | 1, name: string): string {
  const candidate = foundAt(page, game, which)?.candidates.find(({ move }) => move === name);
  if (!candidate || game.mode !== "analyse") return "";
  return `, ${words.wins} ${words.percent(candidate.win_rate)}, ${candidate.visits} ${words.visits}`;
}

function toggleSearch(game: State): void {
  const { view, beside, changes } = now();
  if (view === "inside") say({ type: "analyse", on: !game.analysing, inside: true, parameters: changes });
  else analyse(game, !game.analysing, beside);
}

function pressed(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog[open]")) return;
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
    a: () => show(game, viewOf(now(), game) === "analyse" ? "play" : "analyse"),
    r: () => show(game, "review"),
    i: () => show(game, "inside"),
    b: () => now().welcome?.book && show(game, "book"),
    t: () => now().welcome?.laboratory && show(game, "laboratory"),
    m: () => nextMistake(game, reviewOf(game, now().reviewed)),
    o: () => choose({ showOwners: !showOwners }),
    v: () => otherWay(game),
    "[": () => step(game, -1),
    "]": () => step(game, 1),
    "{": () => step(game, -1000),
    "}": () => step(game, 1000),
    "?": () => update({ dialog: "help" }),
    " ": () => (game.mode === "analyse" ? toggleSearch(game) : say({ type: "stop" })),
  };
  if (now().laboratory && !EVERYWHERE.includes(event.key.toLowerCase())) return;
  const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (act) {
    act();
    event.preventDefault();
  }
}
