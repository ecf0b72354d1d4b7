// What is drawn over the stones.  Nothing is told by colour alone: candidates carry numbers, the
// best one a second ring, points of either side squares of its own colour and size.

import type { Candidate } from "./messages";
import { nameOf, placeOf, type Place } from "./points";

/** A number on a point; the stronger, the larger. */
export interface MarkShown {
  move: string;
  text: string;
  strength: number;
  /** It is there to say that there is nothing. */
  faint?: boolean;
}

export interface Layers {
  /** Candidate moves, the best one first. */
  candidates?: Candidate[];
  /** Whether they are of the second recipe. */
  second?: boolean;
  /** 1: Black's point, -1: White's. */
  owners?: number[][];
  dead?: string[];
  /** Moves to come, by turns. */
  line?: string[];
  hint?: string;
  /** Of the layers inside the search. */
  marks?: MarkShown[];
  /** The rule that chose the last move of a playout. */
  rule?: { move: string; text: string };
  /** A mistake that was played here. */
  wrong?: string;
}

interface Props {
  size: number;
  edge: number;
  stones: number[][];
  toPlay: "black" | "white";
  layers: Layers;
  ghost: Place | null;
  cursor: Place | null;
}

const SHOWN = 12;
const LEAST_SHARE = 0.004; // of the visits, to be worth a circle

export function Overlay({ size, edge, stones, toPlay, layers, ghost, cursor }: Props) {
  const all = size + 2 * edge;
  const { candidates, owners, dead, line, hint } = layers;
  const spoken = new Set(candidates && !line ? shown(candidates).map(({ move }) => move) : []);
  const wrong = placeOf(layers.wrong, size);
  const hinted = placeOf(hint, size);
  return (
    <svg class="overlay" viewBox={`${-edge - 0.5} ${-edge - 0.5} ${all} ${all}`}>
      {owners && <Owners owners={owners} stones={stones} hidden={new Set([...(dead ?? []), ...spoken])} size={size} />}
      {dead?.map((name) => <Dead key={name} place={placeOf(name, size)!} stones={stones} />)}
      {candidates && !line && <Candidates list={candidates} size={size} second={!!layers.second} />}
      {layers.marks && !line && layers.marks.map((mark) => <Mark key={mark.move} mark={mark} size={size} stones={stones} />)}
      {layers.rule && <RuleName rule={layers.rule} size={size} />}
      {line && <Line line={line} size={size} toPlay={toPlay} />}
      {wrong && !line && (
        <path class="wrong" d={`M${wrong[0] - 0.26} ${wrong[1] - 0.26}l.52 .52m0-.52l-.52 .52`} />
      )}
      {hinted && !line && <circle class="hint" cx={hinted[0]} cy={hinted[1]} r="0.42" />}
      {ghost && !line && <circle class={`ghost ${toPlay}`} cx={ghost[0]} cy={ghost[1]} r="0.45" />}
      {cursor && (
        <rect class="cursor" x={cursor[0] - 0.48} y={cursor[1] - 0.48} width="0.96" height="0.96" rx="0.12" />
      )}
    </svg>
  );
}

/** Small squares where a point is somebody's; the larger, the surer. */
function Owners(props: { owners: number[][]; stones: number[][]; hidden: Set<string>; size: number }) {
  const squares = props.owners.flatMap((row, y) =>
    row.map((owner, x) => {
      const stone = props.stones[y]?.[x] ?? 0;
      const side = 0.42 * Math.sqrt(Math.abs(owner));
      const told = (stone && Math.sign(stone) === Math.sign(owner)) || props.hidden.has(nameOf([x, y], props.size));
      if (Math.abs(owner) < 0.1 || told) return null;
      return (
        <rect
          key={`${x} ${y}`}
          class={`owner ${owner > 0 ? "black" : "white"}`}
          x={x - side / 2}
          y={y - side / 2}
          width={side}
          height={side}
        />
      );
    }),
  );
  return <g>{squares}</g>;
}

function Dead({ place: [x, y], stones }: { place: Place; stones: number[][] }) {
  const color = (stones[y]?.[x] ?? 0) > 0 ? "black" : "white";
  return <path class={`dead ${color}`} d={`M${x - 0.22} ${y - 0.22}l.44 .44m0-.44l-.44 .44`} />;
}

/** The candidates that are worth a circle. */
function shown(list: Candidate[]): Candidate[] {
  const total = list.reduce((sum, candidate) => sum + candidate.visits, 0);
  return list.slice(0, SHOWN).filter((c, i) => i === 0 || c.visits >= LEAST_SHARE * total);
}

/** Circles with the chance to win and the visits. */
function Candidates({ list, size, second }: { list: Candidate[]; size: number; second: boolean }) {
  const most = Math.max(1, ...list.map((candidate) => candidate.visits));
  return (
    <g>
      {shown(list).map((candidate, order) => {
        const place = placeOf(candidate.move, size);
        if (!place) return null;
        const [x, y] = place;
        const strength = 0.35 + 0.65 * Math.sqrt(candidate.visits / most);
        return (
          <g key={candidate.move} class={`candidate ${second ? "second" : "first"} ${order === 0 ? "best" : ""}`} data-move={candidate.move}>
            <circle cx={x} cy={y} r="0.46" fill-opacity={strength} />
            {order === 0 && <circle class="ring" cx={x} cy={y} r="0.49" />}
            <text class="rate" x={x} y={y + 0.06}>
              {(100 * candidate.win_rate).toFixed(0)}
            </text>
            <text class="visits" x={x} y={y + 0.32}>
              {short(candidate.visits)}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** A number on a point; the larger its square, the stronger it is. */
function Mark({ mark, size, stones }: { mark: MarkShown; size: number; stones: number[][] }) {
  const place = placeOf(mark.move, size);
  if (!place) return null;
  const onStone = !!stones[place[1]]?.[place[0]];
  const side = mark.faint ? 0.34 : onStone ? 0.56 : 0.56 + 0.36 * Math.sqrt(Math.max(mark.strength, 0));
  const wide = Math.max(side, 0.18 * mark.text.length);
  return (
    <g class={`mark ${mark.faint ? "faint" : ""} ${onStone ? "on-stone" : ""}`} data-move={mark.move}>
      <rect
        x={place[0] - wide / 2}
        y={place[1] - side / 2}
        width={wide}
        height={side}
        rx={onStone ? side / 2 : 0.1}
        fill-opacity={mark.faint ? 0.25 : 0.3 + 0.6 * mark.strength}
      />
      <text x={place[0]} y={place[1] + 0.1}>
        {mark.text}
      </text>
    </g>
  );
}

/** The name of a rule beside the move that it chose. */
function RuleName({ rule, size }: { rule: { move: string; text: string }; size: number }) {
  const place = placeOf(rule.move, size);
  if (!place) return null;
  const wide = 0.2 * rule.text.length + 0.35;
  const x = Math.max(-0.4, Math.min(size - 0.6 - wide, place[0] - wide / 2));
  const y = place[1] > 0.8 ? place[1] - 0.98 : place[1] + 0.55;
  return (
    <g class="rule-name">
      <rect x={x} y={y} width={wide} height="0.44" rx="0.22" />
      <text x={x + wide / 2} y={y + 0.32}>
        {rule.text}
      </text>
    </g>
  );
}

/** The expected moves, as numbered stones. */
function Line({ line, size, toPlay }: { line: string[]; size: number; toPlay: "black" | "white" }) {
  const seen = new Set<string>();
  return (
    <g>
      {line.map((name, i) => {
        const place = placeOf(name, size);
        if (!place || seen.has(name)) return null;
        seen.add(name);
        const color = (i % 2 === 0) === (toPlay === "black") ? "black" : "white";
        return (
          <g key={name} class={`expected ${color}`}>
            <circle cx={place[0]} cy={place[1]} r="0.46" />
            <text x={place[0]} y={place[1] + 0.16}>
              {i + 1}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** 950, 1.2k, 34k, 1.1M */
export function short(count: number): string {
  if (count < 1000) return String(count);
  if (count < 10_000) return `${(count / 1000).toFixed(1)}k`;
  if (count < 1_000_000) return `${Math.round(count / 1000)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}
