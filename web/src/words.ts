// Every word that the page shows or says.

import type { ExperimentLine, Level, MatchLine, Settings, State } from "./messages";

const percent = (share: number) => `${(100 * share).toFixed(0)} %`;
const side = (name: "black" | "white") => (name === "black" ? "Black" : "White");

function result(text: string): string {
  if (text === "0") return "A draw";
  const winner = text.startsWith("B") ? "Black" : text.startsWith("W") ? "White" : null;
  if (!winner) return text;
  const by = text.slice(2);
  if (by === "R") return `${winner} wins by resignation`;
  return `${winner} wins by ${by} ${by === "1" ? "point" : "points"}`;
}

const hundredths = (value: number) => value.toFixed(2).replace("-", "−");

/** 3.2 s, 1:05 */
function clock(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

/** Three digits that count. */
const figure = (value: number) => Number(value.toPrecision(3)).toString().replace("-", "−");

/** With one digit, and no zero below zero. */
function decimal(value: number): string {
  const text = Math.abs(value).toFixed(1);
  return value < 0 && Number(text) > 0 ? `−${text}` : text;
}

const signed = (value: number) => `${value < 0 ? "−" : "+"}${Math.abs(value)}`;

/** Rules of playouts: the name, and what it does. */
const RULES: Record<string, [string, string]> = {
  take: ["take", "take the stones of the last move: they are in atari"],
  save: ["save", "save stones that the last move put in atari"],
  race: ["race", "attack or defend a chain of two liberties beside the last move"],
  attack: ["attack", "attack a neighbour of a chain that is being closed in"],
  eye: ["eye", "keep an eye real"],
  nakade: ["nakade", "the vital point of a small eye space"],
  reply: ["reply", "what answered this move in a game that was won"],
  fill: ["fill board", "a point in the open, with nothing round it"],
  pattern: ["pattern", "a 3 × 3 pattern round the last move"],
  approach: ["approach", "first the move that makes the pattern possible"],
  capture: ["capture", "take stones in atari anywhere"],
  near: ["near", "next to the last move"],
  shape: ["shape", "drawn by the value of its 3 × 3 shape"],
  heuristic: ["best of few", "the best of a few random moves"],
  random: ["random", "any move that fills no own eye"],
  pass: ["pass", "nothing is left to play"],
};

/** Constants of recipes: the name, and what it does. */
const CONSTANTS: Record<string, [string, string]> = {
  "selection.c": ["C, exploration", "the larger, the more the search looks at moves that it knows little of"],
  "selection.alpha": ["α, exploration", "the larger, the more the search looks at moves that it knows little of"],
  "selection.rave_bias": ["RAVE’s bias c₁", "the larger, the sooner RAVE gives way to what was really tried"],
  "selection.rave_decay": ["RAVE’s decay", "how much more the first moves of a playout count"],
  "selection.gamma": ["γ of MoGo", "what H weighs while RAVE knows little"],
  "selection.bias_c": ["C of MoGo", "what H weighs in the long run"],
  "selection.bias_scale": ["weight of H", "what a unit of H is worth"],
  "selection.puct": ["PUCT", "what the term of PUCT weighs beside RAVE"],
  "selection.first_play": ["first play", "the value of a move without visits"],
  "selection.n_prior": ["n_prior", "games that the prior value is worth"],
  "open.k_init": ["k_init, open at first", "how many moves are open before unpruning opens more"],
  "open.unprune_a": ["A of unpruning", "visits at which the next move is opened"],
  "open.unprune_b": ["B of unpruning", "the factor from one opening to the next"],
  "growth.threshold": ["T, growth", "visits at which a node gets all its children"],
  "growth.expand_at": ["expand at", "visits at which a leaf gets its children"],
  "network.at": ["T, network", "visits at which the network is asked about a node"],
  "network.games": ["network’s games", "games that a move has won in advance if the network is sure of it"],
  "network.share": ["network’s share", "how far its moves take the place of those of learned strengths"],
  "network.value": ["λ, network’s value", "the part of a result that is its word on who wins"],
};

/** Parts of a formula. */
const PARTS: Record<string, string> = {
  mean: "+ mean of its games",
  RAVE: "+ RAVE",
  exploration: "+ exploration",
  bias: "+ knowledge (H)",
  untried: "not tried yet",
};

export const words = {
  title: "Montego",
  play: "Play",
  analyse: "Analyse",
  review: "Review",
  inside: "Inside",
  board: "Board",
  skip: "Skip to the board",
  percent,
  decimal,
  figure,
  ahead: (lead: number) => `${lead >= 0 ? "B" : "W"}+${Math.abs(lead).toFixed(1)}`,
  side,
  result,
  offline: "No connection to the server. Trying again …",
  connecting: "Connecting …",

  // the board
  boardLabel: (game: State, title: string | null) =>
    `Go board${title ? ` of ${title}` : ""}, ${game.board.size} by ${game.board.size}, after move ${game.line.indexOf(game.at)}, ` +
    `${side(game.board.to_play)} to play. Arrow keys move the cursor, Enter plays there.`,
  pointLabel: (name: string, sign: number, note: string) =>
    `${name}, ${sign > 0 ? "black stone" : sign < 0 ? "white stone" : "empty"}${note}`,
  saidMove: (game: State) => {
    const last = game.nodes.find((node) => node.id === game.at);
    if (!last?.move || !last.color) return `The start of the game. ${side(game.board.to_play)} to play.`;
    const did = last.move === "pass" ? "passes" : `plays ${last.move}`;
    return `${side(last.color)} ${did}. ${side(game.board.to_play)} to play.`;
  },
  boardTitle: (recipe: string, rate: number) => `${recipe} · Black ${percent(rate)}`,
  confirm: (name: string) => `Play ${name}`,
  passes: (color: "black" | "white") => `${side(color)} passes`,

  // playing
  you: "You",
  toPlay: (color: "black" | "white") => `${side(color)} to play`,
  yourTurn: "Your turn",
  thinks: "Montego is thinking",
  hinting: "Looking for a good move",
  estimating: "Looking at who owns what",
  counting: "Counting the game",
  waiting: "Waiting for its turn",
  simulations: (count: number) => `${count.toLocaleString("en")} simulations`,
  seconds: (count: number) => `${count.toFixed(1)} s`,
  moveNow: "Move now",
  clock,
  inAll: (seconds: number) => `${clock(seconds)} in all`,
  thought: (seconds: number) => `Montego has thought ${clock(seconds)}`,
  captured: (count: number) => (count === 1 ? "1 prisoner" : `${count} prisoners`),
  komiTold: (komi: number) => `komi\n${komi}`,
  newGame: "New game",
  pass: "Pass",
  undo: "Undo",
  hint: "Hint",
  estimate: "Score",
  resign: "Resign",
  resume: "Play on",
  agree: "Accept",
  scoring: "Both passed. Which stones are dead?",
  scoringHelp: "Crossed stones are dead, squares show who owns a point. Tap a stone to change its fate.",
  gameOver: "The game is over",
  winRate: "Black’s chance to win",
  noCurve: "The curve appears once the program has thought about a few moves.",
  hinted: (move: string) => (move === "pass" ? "It would pass." : `It would play ${move}.`),
  hintWhy: (rate: number, simulations: number) =>
    `${percent(rate)} to win, after ${simulations.toLocaleString("en")} simulations`,
  lead: (lead: number) =>
    Math.abs(lead) < 0.05
      ? "The game is even."
      : `${lead > 0 ? "Black" : "White"} is ahead by about ${Math.abs(lead).toFixed(1)} points.`,
  countHead: ["", "Black", "White"],
  area: "Area",
  territory: "Territory and prisoners",
  komi: "Komi",
  total: "Total",

  // settings
  size: "Board",
  otherSize: "Other size",
  sizeValue: (size: number) => `${size} × ${size}`,
  colour: "You play",
  both: "Both sides",
  handicap: "Handicap",
  none: "None",
  stones: (count: number) => `${count} stones`,
  rules: "Rules",
  rulesName: {
    chinese: "Chinese (area)",
    japanese: "Japanese (territory)",
    aga: "American (area)",
    "new-zealand": "New Zealand (area)",
    "tromp-taylor": "Tromp–Taylor (area)",
  } satisfies Record<Settings["rules"], string>,
  territoryNote: "Counted as in Japan; the program itself thinks in areas, which nearly always agrees.",
  strength: "Strength, for each move",
  by: { level: "Level", seconds: "Seconds", simulations: "Simulations" },
  levelName: (number: number, level: Level | undefined) =>
    level ? `Level ${number}, ${level.name}: ${level.description}` : `Level ${number}`,
  recipe: "Recipe",
  recipeNote: "How the program searches; montego is the strongest.",
  more: "More settings",
  start: "Start the game",
  cancel: "Cancel",
  close: "Close",
  opponent: "Opponent",
  limitTold: (settings: Settings) => {
    const { by, amount } = settings.limit;
    if (by === "level") return `level ${amount}`;
    return by === "seconds" ? `${amount} s a move` : `${amount.toLocaleString("en")} simulations`;
  },

  // files
  game: "Game",
  save: "Save as SGF",
  open: "Open SGF",
  link: "Copy link",
  linkCopied: "A link to this position is on the clipboard.",
  linkShown: "Copy this link:",
  drop: "Drop a game record (SGF) here",
  tooLong: "This file is too long for a game record.",

  // analysing
  live: "Analyse",
  stop: "Stop",
  running: "Searching",
  candidates: "Candidate moves",
  candidatesEmpty: "Start the analysis to see what the search thinks of this position.",
  gameEnded: "Both have passed: there is nothing to search here.",
  move: "Move",
  wins: "Win %",
  leadShort: "Lead",
  visits: "Visits",
  prior: "Prior %",
  winsTitle: "Chance to win, of the player to move",
  leadTitle: "Points ahead, komi counted",
  visitsTitle: "Simulations that began with this move",
  priorTitle: "What the program thought of the move before it looked",
  owners: "Ownership",
  moves: "Candidates",
  compare: "Compare with",
  nobody: "nobody",
  tree: "Moves and variations",
  first: "First",
  back: "Back",
  next: "Next",
  last: "Last",
  otherWay: "Other variation",
  remove: "Remove from here on",
  playHere: "Play from here",
  moveNumber: (number: number, of: number) => `Move ${number} of ${of}`,

  // reviewing
  reviewGame: "Review the game",
  reviewDepth: "Simulations for each position",
  depth: (count: number) => `${count.toLocaleString("en")} a position`,
  reviewing: "The review",
  reviewEmpty: "Every position is searched; moves that lost much of the chance to win are listed, with what was better.",
  reviewBy: (by: string, done: number, total: number) =>
    done === total ? by : `${by}; stopped after ${done} of ${total} positions`,
  saveReview: "Save with notes",
  savePage: "Save as a page",
  mistakes: "Mistakes",
  noMistakes: "No move lost a tenth of the chance to win.",
  loss: "Lost %",
  lossTitle: "Of the chance to win, compared with the best move",
  points: "Points",
  pointsTitle: "Points lost, about",
  better: "Better",
  verdict: { bad: "bad: it lost a fifth or more", doubtful: "doubtful: it lost a tenth or more" },

  // inside the search
  search: "Search",
  position: "Position",
  tabs: { layers: "On the board", tree: "Tree", playout: "Playouts" },
  insideEmpty: "Start the search, and watch it think: where it looks, what it knows, how its tree grows.",
  treeEmpty: "The tree appears as soon as the search runs.",
  insideSize: (simulations: number, nodes: number, open: number) =>
    `${simulations.toLocaleString("en")} simulations, a tree of ${nodes.toLocaleString("en")} nodes, ${open} moves open`,
  layer: "Layer",
  layerName: {
    visits: "Visits",
    wins: "Wins",
    rave: "RAVE",
    score: "Score",
    h: "H",
    prior: "Prior",
    patterns: "Patterns",
    open: "Open",
    owners: "Owners",
    critical: "Critical",
  },
  layerTitle: {
    visits: "How many simulations began with a move.",
    wins: "How many of those were won, in percent.",
    rave: "How many playouts were won in which the move was played at any time, in percent (RAVE).",
    score: "What the formula makes of a move now: the largest one is tried next.",
    h: "What the program knows of a move before it looks: H. Point at a move to see why.",
    prior: "How often knowledge expects to win with a move, in percent, before the first simulation.",
    patterns: "Where one of MoGo’s 3 × 3 patterns matches, with the learned strength of the shape; 1 is usual.",
    open: "Which moves the search may choose now, in the order of H. Progressive unpruning opens more as it goes.",
    owners: "Whose points are at the end of the playouts: the larger a square, the surer.",
    critical: "How far the game depends on a point: how often its owner is the winner, more than by chance, in percent.",
  },
  why: (move: string) => `Why ${move}?`,
  hOf: (value: string) => `H ${value}`,
  whyNothing: "This recipe knows nothing of moves before it looks.",
  shape: (pattern: boolean) => (pattern ? "3 × 3 shape, a pattern of MoGo’s" : "3 × 3 shape"),
  termName: (name: string) => name.replace(/, %$/, "").replace(/(\d)x(\d)/g, "$1 × $2"),
  unitOf: (name: string, unit: string) => (name.endsWith(", %") ? "%" : unit),
  term: (unit: string, value: number) => {
    const number = figure(value);
    if (unit === "%") return `${number} %`;
    if (unit === "factor") return `× ${number}`;
    return unit === "games" && value > 0 ? `+${number}` : number;
  },
  constants: "Constants of the search",
  constantsHelp: "The search starts again with every change: see what a constant does.",
  asBefore: "As before",
  constant: (name: string) => CONSTANTS[name]?.[0] ?? name.replace(/^\w+\./, "").replaceAll("_", " "),
  constantTitle: (name: string) => CONSTANTS[name]?.[1] ?? name,
  searchTree: "The tree",
  searchTreeTold: (count: number) =>
    `The ${count} most visited nodes of the search tree, each as wide as its share of the visits. Arrow keys choose one, Enter zooms in, minus zooms out.`,
  searchTreeHelp: "Each box is a move, as wide as its share of the visits; below it the answers. Click one for its numbers, twice to zoom in.",
  wider: "Wider",
  narrower: "Narrower",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  yes: "yes",
  no: "no",
  games: (count: number) => (count === 1 ? "1 game" : `${count.toLocaleString("en")} games`),
  part: (name: string) => PARTS[name] ?? name,

  // playouts
  playout: "A playout",
  playouts: "Many playouts",
  playoutKind: (kind: string) => (kind ? `by the rules of ${kind}` : ""),
  playoutEmpty: "A playout is a whole game that the program plays with itself in a fraction of a millisecond. Watch one, and see which rule chose every move.",
  playoutStart: "The position that it begins with.",
  playOne: "Play one",
  pause: "Pause",
  resumePlayout: "Continue",
  again: "Again and again",
  speed: "Speed",
  speeds: ["slow", "normal", "fast"],
  more_: (count: number) => `${count.toLocaleString("en")} more`,
  restart: "Start over",
  playoutCount: (count: number) => (count === 1 ? "1 playout" : `${count.toLocaleString("en")} playouts`),
  moveCount: (count: number) => `${count.toFixed(0)} moves`,
  histogram: "How the playouts ended, from White’s largest win to Black’s",
  rulesUsed: "How many of the moves each rule has chosen",
  rule: (name: string) => RULES[name]?.[0] ?? name,
  ruleTitle: (name: string) => RULES[name]?.[1] ?? "",

  // the laboratory
  laboratory: "Laboratory",
  labTabs: { matches: "Matches", papers: "The papers’ tables" },
  reading: "Reading the results …",
  noMatches: "There is no match in this folder yet: montego match plays one.",
  chooseMatch: "Choose a match to see its score, its test and its games. What is being played moves as you look.",
  chooseTable: "Choose a table: the paper’s figures, and ours beside them.",
  workingOut: (name: string) => `Working out ${name} …`,
  matchAbout: (match: MatchLine) =>
    `${match.size} × ${match.size} · ${words.gamesOf(match.games, match.asked)} · ${percent(match.rate)}${match.sprt ? ` · ${match.sprt.accepted === null ? "test open" : "test decided"}` : ""}`,
  gamesOf: (games: number, asked: number | null) =>
    asked && asked > games ? `${games.toLocaleString("en")} of ${asked.toLocaleString("en")} games` : words.games(games),
  boardAndKomi: (size: number, komi: number) => `${size} × ${size}, komi ${komi}`,
  against: "against",
  score: "Score",
  elo: "Elo",
  wonLostDrawn: "Won – lost – drawn",
  sprt: (elo0: number, elo1: number) => `Sequential test of ${signed(elo0)} against ${signed(elo1)} Elo:`,
  sprtOpen: "open",
  sprtAccepted: (elo: number) => `${signed(elo)} accepted`,
  sprtTold: (ratio: number, low: number, high: number) => `Log-likelihood ratio ${ratio}, between ${low} and ${high}`,
  llr: (ratio: number) => `LLR ${hundredths(ratio)}`,
  hundredths,
  scoreCurve: "The first player’s score after every game, with its interval of 95 %",
  latestOf: (shown: number, total: number) => `the latest ${shown} of ${total.toLocaleString("en")}`,
  gamesHead: "Games",
  firstPlays: "First is",
  resultHead: "Result",
  endedBy: "Ended by",
  movesHead: "Moves",
  row: "Row",
  paper: "Paper",
  ours: "Ours",
  state: "State",
  scale: { full: "As much was played as in the paper.", quick: "A quick run, of some minutes." },
  otherScale: { full: "Full scale", quick: "Quick run" },
  doneOf: ({ done, total, scale }: ExperimentLine) => {
    if (done === 0) return "not begun";
    const share = done >= total ? "done" : `${percent(Math.floor((100 * done) / total) / 100)} played`;
    return `${scale === "quick" ? "quick run, " : ""}${share}`;
  },

  // the book
  book: "Book",
  bookName: (name: string) => `The book: ${name}`,
  bookUnknown: "The book does not know this position.",
  bookHelp: "Numbers on the board are games. A click on a move goes on with it; the program plays by the book, too.",
  bookRateTitle: "How often the player of the move won",
  interval: "95 %",
  whatFollows: (line: string) => `What follows ${line}`,
  backToList: "All of them",
  elsewhere: "this position comes in another line, and goes on there",

  // the rest
  theme: { auto: "Theme: as the system", light: "Theme: light", dark: "Theme: dark" },
  soundOn: "Sound is on",
  soundOff: "Sound is off",
  help: "Keys and help",
  licences: "Licences",
  helpAbout: "Play Go against Montego, a program that searches by playing games to their end, thousands for each move.",
  keys: [
    ["← ↑ ↓ →", "move the cursor, when the board is focused"],
    ["Enter", "play at the cursor, or mark a dead stone"],
    ["P", "pass"],
    ["U", "undo"],
    ["H", "hint"],
    ["E", "score: who owns what"],
    ["N", "new game"],
    ["S", "save as SGF"],
    ["L", "copy a link to the position"],
    ["A, R", "play or analyse; review"],
    ["I", "inside the search"],
    ["B, T", "the book; the laboratory, where there is one"],
    ["M", "to the next mistake of a review"],
    ["Space", "start or stop the analysis; while it thinks: move now"],
    ["[ ]", "one move back or forward"],
    ["{ }", "to the first or last move"],
    ["V", "another variation"],
    ["O", "show or hide ownership"],
    ["?", "this help"],
  ] as [string, string][],
};
