// What the reader can do, whether by a button, a key or a click.

import type { Reviewed, State } from "./messages";
import { linkTo, now, say, update } from "./store";
import { words } from "./words";

export function play(game: State, move: string): void {
  if (game.phase === "scoring") say({ type: "mark", point: move });
  else say({ type: "play", move, at: game.at });
}

/** Whether a click on the board means something now. */
export function canAct(game: State): boolean {
  if (game.mode === "analyse" || game.phase === "scoring") return true;
  return game.phase === "playing" && game.working !== "move";
}

export function go(game: State, node: number): void {
  if (game.mode === "analyse" || game.phase === "over") say({ type: "goto", node });
}

export function step(game: State, by: number): void {
  const at = game.line.indexOf(game.at);
  const to = Math.max(0, Math.min(game.line.length - 1, at + by));
  if (to !== at) go(game, game.line[to]!);
}

/** To the next child of the position before, where there are several. */
export function otherWay(game: State): void {
  const here = game.nodes.find((node) => node.id === game.at);
  const ways = game.nodes.filter((node) => node.parent === here?.parent && node.id !== 0);
  const place = ways.findIndex((node) => node.id === game.at);
  const next = ways[(place + 1) % ways.length];
  if (here && next && next.id !== game.at) go(game, next.id);
}

export function switchMode(game: State, mode: State["mode"]): void {
  if (game.mode !== mode) say({ type: "switch", mode });
}

/** To the position before the next mistake, or to the first one again. */
export function nextMistake(game: State, reviewed: Reviewed | null): void {
  const wrong = (reviewed?.moves ?? []).filter((move) => move.verdict);
  const at = game.line.indexOf(game.at);
  const next = wrong.find((move) => game.line.indexOf(move.before) > at) ?? wrong[0];
  if (next) go(game, next.before);
}

export function analyse(game: State, on: boolean, beside: string | null): void {
  if (game.mode !== "analyse") say({ type: "switch", mode: "analyse" });
  say({ type: "analyse", on, beside });
}

export async function copyLink(game: State): Promise<void> {
  const link = linkTo(game);
  try {
    await navigator.clipboard.writeText(link);
    update({ said: words.linkCopied, notice: words.linkCopied });
  } catch {
    prompt(words.linkShown, link);
  }
}

/** The text of a record, in whatever encoding it says that it has. */
function decode(bytes: ArrayBuffer): string {
  const named = /CA\s*\[([\w-]+)\]/.exec(new TextDecoder("latin1").decode(bytes.slice(0, 4000)))?.[1];
  let decoder = new TextDecoder();
  try {
    if (named) decoder = new TextDecoder(named);
  } catch {
    // not an encoding that browsers know: most likely it is the usual one
  }
  return decoder.decode(bytes).replace(/CA\s*\[[\w-]+\]/, "CA[UTF-8]");
}

export async function openFile(file: File): Promise<void> {
  const welcome = now().welcome;
  if (welcome && file.size > 4 * welcome.most_sgf) {
    update({ problem: { type: "problem", code: "limit", text: words.tooLong, point: null } });
    return;
  }
  const sgf = decode(await file.arrayBuffer());
  if (welcome && sgf.length > welcome.most_sgf) {
    update({ problem: { type: "problem", code: "limit", text: words.tooLong, point: null } });
    return;
  }
  say({ type: "open", sgf, mode: "analyse" });
}
