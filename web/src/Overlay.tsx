// What is drawn over the stones.  Nothing is told by colour alone: candidates carry numbers, the
// best one a second ring, points of either side squares of its own colour and size.

import type { Candidate } from "./messages";
import { nameOf, placeOf, type Place } from "./points";

export interface Layers {
  /** Candidate moves, the best one first. */
  candidates?: Candidate[];
  /** Of the second recipe. */
  beside?: Candidate[];
  /** 1: Black's point, -1: White's. */
  owners?: number[][];
  dead?: string[];
  /** Moves to come, by turns. */
  line?: string[];
  hint?: string;
  /** Of the layers inside the search. */
  marks?: { move: string; text: string; strength: number }[];
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
const COMPARED = 5; // of each of two recipes
const LEAST_SHARE = 0.004; // of the visits, to be worth a circle

export function Overlay({ size, edge, stones, toPlay, layers, ghost, cursor }: Props) {
  const all = size + 2 * edge;
  const { candidates, beside, owners, dead, line, hint } = layers;
  const wrong = placeOf(layers.wrong, size);
  const hinted = placeOf(hint, size);
  return (
    <svg class="overlay" viewBox={`${-edge - 0.5} ${-edge - 0.5} ${all} ${all}`}>
      {owners && <Owners owners={owners} stones={stones} dead={new Set(dead)} size={size} />}
      {dead?.map((name) => <Dead key={name} place={placeOf(name, size)!} stones={stones} />)}
      {candidates && !line && <Candidates list={candidates} size={size} kind={beside ? "left" : "only"} />}
      {beside && !line && <Candidates list={beside} size={size} kind="right" />}
      {layers.marks && !line && layers.marks.map((mark) => <Mark key={mark.move} mark={mark} size={size} />)}
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
function Owners(props: { owners: number[][]; stones: number[][]; dead: Set<string>; size: number }) {
  const squares = props.owners.flatMap((row, y) =>
    row.map((owner, x) => {
      const stone = props.stones[y]?.[x] ?? 0;
      const side = 0.42 * Math.sqrt(Math.abs(owner));
      const told = stone && (Math.sign(stone) === Math.sign(owner) || props.dead.has(nameOf([x, y], props.size)));
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

/** Circles with the chance to win and the visits; of two recipes one stands above, the other below. */
function Candidates({ list, size, kind }: { list: Candidate[]; size: number; kind: "only" | "left" | "right" }) {
  const most = Math.max(1, ...list.map((candidate) => candidate.visits));
  const total = list.reduce((sum, candidate) => sum + candidate.visits, 0);
  const shown = list.slice(0, kind === "only" ? SHOWN : COMPARED).filter((c, i) => i === 0 || c.visits >= LEAST_SHARE * total);
  return (
    <g>
      {shown.map((candidate, order) => {
        const place = placeOf(candidate.move, size);
        if (!place) return null;
        const [x, y] = place;
        const strength = 0.35 + 0.65 * Math.sqrt(candidate.visits / most);
        return (
          <g key={candidate.move} class={`candidate ${kind} ${order === 0 ? "best" : ""}`} data-move={candidate.move}>
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
function Mark({ mark, size }: { mark: { move: string; text: string; strength: number }; size: number }) {
  const place = placeOf(mark.move, size);
  if (!place) return null;
  const side = 0.5 + 0.42 * Math.sqrt(mark.strength);
  return (
    <g class="mark" data-move={mark.move}>
      <rect
        x={place[0] - side / 2}
        y={place[1] - side / 2}
        width={side}
        height={side}
        rx="0.1"
        fill-opacity={0.25 + 0.65 * mark.strength}
      />
      <text x={place[0]} y={place[1] + 0.1}>
        {mark.text}
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
