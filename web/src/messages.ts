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

/** A move of the book; the rate is that of who plays it. */
export interface BookLine {
  line: string[];
  move: string;
  color: "black" | "white";
  games: number;
  rate: number;
  low: number;
  high: number;
  elsewhere: boolean;
}

/** What the book knows of the position that is looked at, and of what may follow. */
export interface BookShown {
  type: "book";
  node: number;
  games: number;
  lines: BookLine[];
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

/** A finding of the paper, and what our figures say to it. */
export interface ClaimShown {
  claim: string;
  verdict: string;
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

/** A paper's table, and how far ours is. */
export interface ExperimentLine {
  name: string;
  title: string;
  source: string;
  scale: "quick" | "full";
  done: number;
  total: number;
  noun: string;
  missing: string;
}

/** A number with its 95 % interval. */
export interface FigureShown {
  value: number | null;
  low: number | null;
  high: number | null;
  number: number | null;
}

/** Begin with a position that somebody has sent a link to. */
export interface Follow {
  type: "follow";
  link: string;
  mode?: "play" | "analyse";
}

/** A game of a match. */
export interface GameLine {
  number: number;
  black: "first" | "second";
  winner: "first" | "second" | null;
  result: string;
  reason: string;
  moves: number;
  is_kept: boolean;
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
  open: number;
  formula: string;
  terms: string[];
  nodes: TreeNode[];
  ownership: number[][];
  criticality: number[][];
}

/** Come back to a game. */
export interface Join {
  type: "join";
  game: string;
}

/** What is known of all moves; told again when a network's word has taken its place. */
export interface Known {
  type: "known";
  node: number;
  unit: "" | "factor" | "games" | "h" | "value";
  moves: KnownMove[];
}

/** What is known of a move before the search looks. */
export interface KnownMove {
  move: string;
  h: number;
  pattern: boolean;
  shape: number;
  terms: Term[];
}

/** A strength of the program. */
export interface Level {
  name: string;
  description: string;
}

/** How long the program thinks about a move. */
export interface Limit {
  by: "level" | "seconds" | "simulations";
  amount: number;
}

/** What does the book know here? */
export interface LookUp {
  type: "lookup";
}

/** These stones are dead, or not dead after all. */
export interface Mark {
  type: "mark";
  point: string;
}

/** A match as it stands; the score is the first player's. */
export interface MatchLine {
  id: string;
  name: string;
  first: string;
  second: string;
  size: number;
  komi: number;
  games: number;
  asked: number | null;
  wins: number;
  losses: number;
  draws: number;
  rate: number;
  low: number;
  high: number;
  elo: number | null;
  elo_low: number | null;
  elo_high: number | null;
  sprt: SprtState | null;
  running: boolean;
  latest: string;
  problem: string;
}

/** The games of a match, the latest last, and the score after each. */
export interface MatchShown {
  type: "match";
  match: MatchLine;
  total: number;
  games: GameLine[];
  rates: number[];
  lows: number[];
  highs: number[];
  numbers: number[];
}

/** All that a results folder holds. */
export interface Matches {
  type: "matches";
  matches: MatchLine[];
  experiments: ExperimentLine[];
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
  seconds: number | null;
}

/** Begin with a game record. */
export interface Open {
  type: "open";
  sgf: string;
  settings?: Settings;
  mode?: "play" | "analyse";
}

/** Begin with a game of a match. */
export interface OpenGame {
  type: "opengame";
  match: string;
  number: number;
}

/** A number of a recipe, and what it can be turned to. */
export interface Parameter {
  name: string;
  value: number;
  least: number;
  most: number;
  whole: boolean;
}

/** A move, for the position that the page shows. */
export interface Play {
  type: "play";
  move: string;
  at: number;
}

/** Play playouts from the position that is looked at, and show the last one. */
export interface PlayOut {
  type: "playout";
  games?: number;
  restart?: boolean;
}

/** A move of a playout, the rule that chose it, and the stones that it took. */
export interface PlayoutMove {
  color: "black" | "white";
  move: string;
  rule: string;
  taken: string[];
}

/** Playouts from the position that is looked at: the last one, and how all of them ended. */
export interface Playouts {
  type: "playouts";
  node: number;
  kind: string;
  games: number;
  black_wins: number;
  draws: number;
  lead: number;
  length: number;
  scores: number[][];
  rules: Record<string, number>;
  last: PlayoutMove[];
  last_lead: number;
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

/** Show the matches of the results folder, as they go on; or no more. */
export interface ShowLaboratory {
  type: "laboratory";
  on: boolean;
}

/** Show the games of a match, as they go on; none to show no more. */
export interface ShowMatch {
  type: "showmatch";
  match: string | null;
}

/** Show a paper's table. */
export interface ShowTable {
  type: "showtable";
  experiment: string;
  scale?: "quick" | "full";
}

/** How far a sequential test is: decided where the ratio leaves the bounds. */
export interface SprtState {
  elo0: number;
  elo1: number;
  ratio: number;
  low: number;
  high: number;
  accepted: number | null;
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
  beside: string | null;
  parameters: Record<string, number>;
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

/** A row of a paper's table, ours beside it. */
export interface TableRow {
  label: string;
  unit: string;
  paper: FigureShown | null;
  ours: FigureShown | null;
  state: string;
}

/** A paper's table with ours beside. */
export interface TableShown {
  type: "table";
  experiment: string;
  scale: "quick" | "full";
  title: string;
  source: string;
  finding: string;
  notes: string;
  rows: TableRow[];
  claims: ClaimShown[];
}

/** A part of what is known of a move. */
export interface Term {
  name: string;
  value: number;
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
  prior: number | null;
  prior_games: number;
  is_open: boolean;
  score: number | null;
  terms: number[];
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
  levels: Level[];
  book: string;
  laboratory: boolean;
  most_seconds: number;
  most_simulations: number;
  most_sgf: number;
}

export type FromPage = New | Join | Open | Follow | Play | Undo | Resign | Hint | Stop | EstimateScore | Mark | Agree | Resume | Change | Switch | Goto | Remove | Analyse | ReviewGame | Save | PlayOut | LookUp | ShowLaboratory | ShowMatch | ShowTable | OpenGame;

export type ToPage = Welcome | State | Thinking | Analysis | Inside | Known | Playouts | Reviewed | Hinted | Estimated | Saved | Problem | Matches | MatchShown | TableShown | BookShown;
