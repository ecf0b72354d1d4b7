// Every word that the page shows or says.

import type { Settings, State } from "./messages";

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

export const words = {
  title: "Montego",
  play: "Play",
  analyse: "Analyse",
  review: "Review",
  inside: "Inside",
  board: "Board",
  skip: "Skip to the board",
  percent,
  side,
  result,
  offline: "No connection to the server. Trying again …",
  connecting: "Connecting …",

  // the board
  boardLabel: (game: State) =>
    `Go board, ${game.board.size} by ${game.board.size}, after move ${game.line.indexOf(game.at)}, ` +
    `${side(game.board.to_play)} to play. Arrow keys move the cursor, Enter plays there.`,
  pointLabel: (name: string, sign: number, note: string) =>
    `${name}, ${sign > 0 ? "black stone" : sign < 0 ? "white stone" : "empty"}${note}`,
  saidMove: (game: State) => {
    const last = game.nodes.find((node) => node.id === game.at);
    if (!last?.move || !last.color) return `The start of the game. ${side(game.board.to_play)} to play.`;
    const did = last.move === "pass" ? "passes" : `plays ${last.move}`;
    return `${side(last.color)} ${did}. ${side(game.board.to_play)} to play.`;
  },
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
  scoringHelp: "Tap a stone to change its fate. Crossed stones are taken off, squares show whose points are.",
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
  levelName: (level: number, simulations: number) =>
    `Level ${level} · ${simulations.toLocaleString("en")} simulations a move`,
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
  insideEmpty: "Start the search, and watch it think: where it looks, what it knows, how its tree grows.",
  insideSize: (simulations: number, nodes: number) =>
    `${simulations.toLocaleString("en")} simulations, a tree of ${nodes.toLocaleString("en")} nodes`,
  layer: "On the board",
  layerName: { visits: "Visits", win_rate: "Wins", rave: "RAVE", h: "H" },
  layerTitle: {
    visits: "How many simulations began with a move.",
    win_rate: "How many of those were won, in percent.",
    rave: "How many playouts were won in which the move was played at any time, in percent (RAVE).",
    h: "What the program knows of a move before it looks: H.",
  },
  constants: "Constants of the search",
  constantsHelp: "The search begins anew with every change: see what a constant does.",
  searchTree: "The tree",
  searchTreeTold: (count: number) => `The ${count} most visited nodes of the search tree, each as wide as its share of the visits`,
  searchTreeHelp: "Each box is a move, as wide as its share of the visits; below it the answers. Click one for its numbers.",

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
    ["M", "to the next mistake of a review"],
    ["Space", "start or stop the analysis; while it thinks: move now"],
    ["[ ]", "one move back or forward"],
    ["{ }", "to the first or last move"],
    ["V", "another variation"],
    ["O", "show or hide ownership"],
    ["?", "this help"],
  ] as [string, string][],
};
