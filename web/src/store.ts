// All that the page knows: what the server has told, and a few choices of the reader's own.

import { useEffect, useState } from "preact/hooks";
import { Connection } from "./connection";
import type { Tab } from "./InsidePanel";
import type { Layer } from "./Layers";
import type {
  Analysis,
  BookShown,
  Estimated,
  FromPage,
  Hinted,
  Inside,
  Known,
  Matches,
  MatchShown,
  Playouts,
  Problem,
  Reviewed,
  Saved,
  Settings,
  State,
  TableShown,
  Thinking,
  ToPage,
  Welcome,
} from "./messages";
import { words } from "./words";

export type Theme = "auto" | "light" | "dark";

export interface Page {
  connected: boolean;
  welcome: Welcome | null;
  game: State | null;
  thinking: Thinking | null;
  analyses: (Analysis | null)[];
  reviewed: Reviewed | null;
  inside: Inside | null;
  known: Known | null;
  playouts: Playouts | null;
  /** How far the last playout is shown on the board; null: not at all. */
  playing: { step: number; running: boolean } | null;
  book: BookShown | null;
  /** What is beside the board while analysing. */
  view: "analyse" | "review" | "inside" | "book";
  /** The second recipe of the analysis. */
  beside: string | null;
  /** Constants of the recipe that the reader has changed. */
  changes: Record<string, number>;
  /** Whether the picture of the search tree takes room from the board. */
  wideTree: boolean;
  /** Whether the laboratory is looked at, in place of the board. */
  laboratory: boolean;
  matches: Matches | null;
  match: MatchShown | null;
  table: TableShown | null;
  /** The table that is being worked out. */
  tableAsked: string | null;
  labTab: "matches" | "papers";
  insideTab: Tab;
  layer: Layer;
  hint: Hinted | null;
  estimate: Estimated | null;
  problem: Problem | null;
  /** Something that was done, for a moment. */
  notice: string | null;
  said: string;
  theme: Theme;
  sound: boolean;
  coordinates: boolean;
  showOwners: boolean;
  showMoves: boolean;
  dialog: "new" | "help" | null;
}

const LAST_LINK = "montego-link";
const LAST_SETTINGS = "montego-settings";
const LAST_MODE = "montego-mode";
const LAST_VIEW = "montego-view";
const CHOICES = "montego-choices";

function choices(): Partial<Page> {
  try {
    return JSON.parse(localStorage.getItem(CHOICES) ?? "{}") as Partial<Page>;
  } catch {
    return {};
  }
}

/** What was looked at before the page was loaded again. */
function lastView(): Partial<Pick<Page, "view" | "laboratory">> {
  return JSON.parse(sessionStorage.getItem(LAST_VIEW) ?? "{}") as Partial<Page>;
}

let page: Page = {
  connected: false,
  welcome: null,
  game: null,
  thinking: null,
  analyses: [null, null],
  reviewed: null,
  inside: null,
  known: null,
  playouts: null,
  playing: null,
  book: null,
  view: "analyse",
  laboratory: location.hash === "#laboratory",
  ...lastView(),
  beside: null,
  changes: {},
  wideTree: false,
  matches: null,
  match: null,
  table: null,
  tableAsked: null,
  labTab: "matches",
  insideTab: "layers",
  layer: "visits",
  hint: null,
  estimate: null,
  problem: null,
  notice: null,
  said: "",
  theme: "auto",
  sound: false,
  coordinates: true,
  showOwners: false,
  showMoves: true,
  ...choices(),
  dialog: null,
};

const listeners = new Set<() => void>();

export function update(changes: Partial<Page>): void {
  page = { ...page, ...changes };
  for (const listener of listeners) listener();
}

/** A choice that is remembered. */
export function choose(changes: Partial<Page>): void {
  update(changes);
  const { theme, sound, coordinates, showOwners, showMoves, wideTree, labTab, insideTab, layer } = page;
  const kept = { theme, sound, coordinates, showOwners, showMoves, wideTree, labTab, insideTab, layer };
  localStorage.setItem(CHOICES, JSON.stringify(kept));
}

/** Look at something else, also after the page is loaded again. */
export function lookAt(changes: Partial<Pick<Page, "view" | "laboratory">>): void {
  update(changes);
  sessionStorage.setItem(LAST_VIEW, JSON.stringify({ view: page.view, laboratory: page.laboratory }));
}

/** A dialog is closed; another one may have been opened meanwhile. */
export function closed(dialog: Page["dialog"]): void {
  if (page.dialog === dialog) update({ dialog: null });
}

export function now(): Page {
  return page;
}

export function usePage(): Page {
  const [seen, see] = useState(page);
  useEffect(() => {
    const listener = () => see(page);
    listeners.add(listener);
    listener();
    return () => void listeners.delete(listener);
  }, []);
  return seen;
}

// --- games ------------------------------------------------------------------------------

export const usual: Settings = {
  size: 9,
  user: "black",
  komi: 7.5,
  handicap: 0,
  rules: "chinese",
  recipe: "montego",
  limit: { by: "level", amount: 4 },
};

/** The settings of the last game that was begun here. */
export function lastSettings(): Settings {
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(LAST_SETTINGS) ?? "{}") as Settings) };
  } catch {
    return usual;
  }
}

export function say(message: FromPage): void {
  if (!connection.say(message)) update({ said: words.offline });
}

export function begin(settings: Settings, mode: "play" | "analyse" = "play"): void {
  localStorage.setItem(LAST_SETTINGS, JSON.stringify(settings));
  say({ type: "new", settings, mode });
}

/** What the address asks for: a game of this server, or a position from anywhere. */
function enter(): void {
  const asked = new URLSearchParams(location.hash.slice(1));
  const position = location.hash.startsWith("#position?") ? location.hash.slice(10) : null;
  if (position) say({ type: "follow", link: decodeURI(position) });
  else if (location.hash.startsWith("#new?")) begin(wished(location.hash.slice(5)));
  else if (asked.get("game")) say({ type: "join", game: asked.get("game")! });
  else begin(lastSettings());
}

/** The settings that an address wishes for; what it does not name is as usual. */
function wished(text: string): Settings {
  const asked = new URLSearchParams(text);
  const number = (name: string, other: number) => (asked.has(name) ? Number(asked.get(name)) : other);
  const handicap = number("handicap", 0);
  return {
    ...usual,
    size: number("size", usual.size),
    user: (asked.get("user") ?? usual.user) as Settings["user"],
    handicap,
    komi: number("komi", handicap > 1 ? 0.5 : usual.komi),
    rules: (asked.get("rules") ?? usual.rules) as Settings["rules"],
    recipe: asked.get("recipe") ?? usual.recipe,
    limit: asked.has("by")
      ? { by: asked.get("by") as "level", amount: number("amount", 1) }
      : usual.limit,
  };
}

/** Where not even a game can be begun, by an address or old settings: one as usual. */
function beginAnyhow(problem: Problem): void {
  update({ problem });
  if (hasBegunAnyhow) return;
  hasBegunAnyhow = true;
  begin(usual);
}

let hasBegunAnyhow = false;

function lost(): void {
  const link = sessionStorage.getItem(LAST_LINK);
  if (link) say({ type: "follow", link, mode: sessionStorage.getItem(LAST_MODE) as State["mode"] });
  else begin(lastSettings());
}

export function linkTo(game: State): string {
  return `${location.origin}/#position?${game.link}`;
}

// --- what the server says ---------------------------------------------------------------

const heard: Record<ToPage["type"], (message: never) => void> = {
  welcome: (welcome: Welcome) => update({ welcome, laboratory: page.laboratory && welcome.laboratory }),
  state: (game: State) => hearState(game),
  thinking: (thinking: Thinking) => update({ thinking }),
  analysis: (found: Analysis) => {
    const analyses = [...page.analyses];
    analyses[found.beside ? 1 : 0] = found;
    update({ analyses });
  },
  inside: (inside: Inside) => update({ inside }),
  known: (known: Known) => update({ known }),
  playouts: (playouts: Playouts) => update({ playouts }),
  book: (book: BookShown) => update({ book }),
  matches: (matches: Matches) => update({ matches }),
  match: (match: MatchShown) => update({ match }),
  table: (table: TableShown) => update({ table, tableAsked: null }),
  reviewed: (reviewed: Reviewed) => update({ reviewed }),
  hinted: (hint: Hinted) => update({ hint, said: words.hinted(hint.move) }),
  estimated: (estimate: Estimated) => update({ estimate, said: words.lead(estimate.lead) }),
  saved: (saved: Saved) => download(saved.name, saved.text),
  problem: (problem: Problem) => {
    if (problem.code === "lost") lost();
    else if (!page.game) beginAnyhow(problem);
    else update({ problem, tableAsked: null });
  },
};

function hearState(game: State): void {
  const before = page.game;
  const moved = before?.game !== game.game || before.at !== game.at;
  const changes: Partial<Page> = { game };
  if (before && moved) changes.problem = null;
  if (moved) Object.assign(changes, { hint: null, estimate: null, analyses: [null, null], inside: null, known: null, playouts: null, playing: null, book: null });
  if (before?.game !== game.game) changes.reviewed = null;
  if (before && before.settings.recipe !== game.settings.recipe) changes.changes = {};
  if (game.analysing) Object.assign(changes, { beside: game.beside, changes: game.parameters });
  if (!game.working) changes.thinking = null;
  if (before && moved) changes.said = words.saidMove(game);
  update(changes);
  sessionStorage.setItem(LAST_LINK, game.link);
  sessionStorage.setItem(LAST_MODE, game.mode);
  const address = `#game=${game.game}`;
  if (location.hash !== address) history.replaceState(null, "", address);
}

function download(name: string, text: string): void {
  const link = document.createElement("a");
  const type = name.endsWith(".sgf") ? "application/x-go-sgf" : "text/html";
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const connection = new Connection(
  (message) => heard[message.type](message as never),
  () => {
    update({ connected: true });
    if (page.game) say({ type: "join", game: page.game.game });
    else enter();
    if (page.laboratory) say({ type: "laboratory", on: true });
  },
  () => update({ connected: false }),
);

addEventListener("hashchange", () => {
  if (location.hash !== `#game=${page.game?.game}`) enter();
});
