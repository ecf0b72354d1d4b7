// Made by `python -m montego.web.typescript` from messages.py; do not edit.

/** The count is right. */
export interface Agree {
  type: "agree";
}

/** Start or stop the analysis; a second recipe may look at the same position. */
export interface Analyse {
  type: "analyse";
  on: boolean;
  beside?: string | null;
  inside?: boolean;
  parameters?: Record<string, number>;
}

/** What a search has found. */
export interface Analysis {
  type: "analysis";
  node: number;
  beside: boolean;
  recipe: string;
  to_play: "black" | "white";
  running: boolean;
  simulations: number;
  seconds: number;
  win_rate: number;
  lead: number;
  move: string;
  candidates: Candidate[];
  ownership: number[][];
}

/** A position as it is drawn. */
export interface Board {
  size: number;
  stones: number[][];
  to_play: "black" | "white";
  last: string | null;
  ko: string | null;
  black_captured: number;
  white_captured: number;
}

/** A move that was looked at; seen by the player to move. */
export interface Candidate {
  move: string;
  visits: number;
  win_rate: number;
  lower: number;
  lead: number;
  prior: number;
  line: string[];
}

/** Other settings for a game that goes on. */
export interface Change {
  type: "change";
  user?: "black" | "white" | "both" | null;
  recipe?: string | null;
  limit?: Limit | null;
}

/** A finished game, counted. */
export interface Count {
  dead: string[];
  owners: number[][];
  black: number;
  white: number;
  komi: number;
  result: string;
  territory: boolean;
}

/** How does the game stand? */
export interface EstimateScore {
  type: "estimate";
}

/** How the game stands, if it is played to its end. */
export interface Estimated {
  type: "estimated";
  node: number;
  ownership: number[][];
  lead: number;
}

/** Begin with a position that somebody has sent a link to. */
export interface Follow {
  type: "follow";
  link: string;
}

/** Look at another position of the tree. */
export interface Goto {
  type: "goto";
  node: number;
}

/** What would the program play? */
export interface Hint {
  type: "hint";
}

/** What the program would play, and why. */
export interface Hinted {
  type: "hinted";
  node: number;
  move: string;
  win_rate: number;
  simulations: number;
  line: string[];
}

/** The most visited part of the tree, and all moves of the root. */
export interface Inside {
  type: "inside";
  node: number;
  simulations: number;
  size: number;
  nodes: TreeNode[];
}

/** Come back to a game. */
export interface Join {
  type: "join";
  game: string;
}

/** How long the program thinks about a move. */
export interface Limit {
  by: "level" | "seconds" | "simulations";
  amount: number;
}

/** These stones are dead, or not dead after all. */
export interface Mark {
  type: "mark";
  point: string;
}

/** Begin a game. */
export interface New {
  type: "new";
  settings: Settings;
  mode?: "play" | "analyse";
}

/** A position of the tree, by the move that led to it. */
export interface Node {
  id: number;
  parent: number | null;
  color: "black" | "white" | null;
  move: string | null;
  win_rate: number | null;
  lead: number | null;
}

/** Begin with a game record. */
export interface Open {
  type: "open";
  sgf: string;
  settings?: Settings;
  mode?: "play" | "analyse";
}

/** A number of a recipe. */
export interface Parameter {
  name: string;
  value: number;
  whole: boolean;
}

/** A move, for the position that the page shows. */
export interface Play {
  type: "play";
  move: string;
  at: number;
}

/** What cannot be done, and why; nothing has changed. */
export interface Problem {
  type: "problem";
  code: "illegal" | "bad" | "limit" | "late" | "lost" | "engine";
  text: string;
  point: string | null;
}

/** Forget a variation. */
export interface Remove {
  type: "remove";
  node: number;
}

/** Give up. */
export interface Resign {
  type: "resign";
}

/** Play on: the count, or giving up, was a mistake. */
export interface Resume {
  type: "resume";
}

/** Look at every position of the line; or stop it. */
export interface ReviewGame {
  type: "review";
  on?: boolean;
  simulations?: number;
}

/** A review, as far as it is. */
export interface Reviewed {
  type: "reviewed";
  done: number;
  total: number;
  by: string;
  win_rates: number[];
  leads: number[];
  moves: ReviewedMove[];
}

/** A move of the game, judged; chances are those of the player who made it. */
export interface ReviewedMove {
  node: number;
  before: number;
  number: number;
  color: "black" | "white";
  move: string;
  best: string;
  verdict: "" | "doubtful" | "bad";
  chance: number;
  loss: number;
  points_lost: number;
  line: string[];
}

/** Rules that can be chosen. */
export interface Ruleset {
  name: "chinese" | "japanese" | "aga" | "new-zealand" | "tromp-taylor";
  komi: number;
  territory: boolean;
}

/** Give me the game as SGF, its review as SGF, or as a page that needs no server. */
export interface Save {
  type: "save";
  what?: "game" | "review" | "page";
}

/** A file. */
export interface Saved {
  type: "saved";
  name: string;
  text: string;
}

/** How a game is played. */
export interface Settings {
  size: number;
  user: "black" | "white" | "both";
  komi: number;
  handicap: number;
  rules: "chinese" | "japanese" | "aga" | "new-zealand" | "tromp-taylor";
  recipe: string;
  limit: Limit;
}

/** The whole game as it is now. */
export interface State {
  type: "state";
  game: string;
  mode: "play" | "analyse";
  phase: "playing" | "scoring" | "over";
  settings: Settings;
  board: Board;
  nodes: Node[];
  at: number;
  line: number[];
  black: string;
  white: string;
  result: string;
  count: Count | null;
  working: "move" | "hint" | "estimate" | "count" | null;
  analysing: boolean;
  reviewing: boolean;
  link: string;
}

/** Think no longer: play the best move so far. */
export interface Stop {
  type: "stop";
}

/** To playing, or to analysing. */
export interface Switch {
  type: "switch";
  mode: "play" | "analyse";
}

/** How far the program is. */
export interface Thinking {
  type: "thinking";
  work: "move" | "hint" | "estimate" | "count";
  simulations: number;
  seconds: number;
  share: number;
  win_rate: number | null;
  move: string | null;
}

/** A node of the search tree; values are those of the player who moved there, 0 to 1. */
export interface TreeNode {
  id: number;
  parent: number | null;
  move: string;
  color: "black" | "white";
  visits: number;
  win_rate: number | null;
  rave: number | null;
  rave_visits: number;
  h: number;
}

/** Take the user's last move back. */
export interface Undo {
  type: "undo";
}

/** What there is to choose from. */
export interface Welcome {
  type: "welcome";
  version: string;
  recipes: string[];
  rules: Ruleset[];
  parameters: Record<string, Parameter[]>;
  levels: number[];
  most_seconds: number;
  most_simulations: number;
  most_sgf: number;
}

export type FromPage = New | Join | Open | Follow | Play | Undo | Resign | Hint | Stop | EstimateScore | Mark | Agree | Resume | Change | Switch | Goto | Remove | Analyse | ReviewGame | Save;

export type ToPage = Welcome | State | Thinking | Analysis | Inside | Reviewed | Hinted | Estimated | Saved | Problem;
