// The moves of a game as a picture: one line for each variation, the position shown is filled.

import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Node, State } from "./messages";

const STEP = 22;
const RADIUS = 8;

interface Placed {
  node: Node;
  x: number;
  y: number;
}

/** Every node's column is its depth; its row the first that is free from there to its end. */
function layOut(game: State): Map<number, Placed> {
  const children = new Map<number, Node[]>();
  for (const node of game.nodes) {
    if (node.parent !== null) children.set(node.parent, [...(children.get(node.parent) ?? []), node]);
  }
  const line = new Set(game.line);
  const placed = new Map<number, Placed>();
  const ends: number[] = []; // of each row, the column after its last node
  const root = game.nodes.find((node) => node.parent === null)!;
  const todo: { node: Node; x: number; from: number }[] = [{ node: root, x: 0, from: 0 }];
  while (todo.length) {
    const { node, x, from } = todo.pop()!;
    const length = runLength(node, children, line);
    let y = from;
    while ((ends[y] ?? -1) >= x - (y === from && y === 0 ? 0 : 1) && !(x === 0 && y === 0)) y++;
    ends[y] = x + length;
    let step: Node | undefined = node;
    for (let column = x; step; column++) {
      placed.set(step.id, { node: step, x: column, y });
      const next: Node[] = children.get(step.id) ?? [];
      const on: Node | undefined = next.find((child) => line.has(child.id)) ?? next[0];
      for (const other of next) if (other !== on) todo.unshift({ node: other, x: column + 1, from: y + 1 });
      step = on;
    }
  }
  return placed;
}

function runLength(node: Node, children: Map<number, Node[]>, line: Set<number>): number {
  let length = 0;
  let step: Node | undefined = node;
  while (step) {
    length++;
    const next: Node[] = children.get(step.id) ?? [];
    step = next.find((child) => line.has(child.id)) ?? next[0];
  }
  return length;
}

export function Tree({ game, go }: { game: State; go: (node: number) => void }) {
  const box = useRef<HTMLDivElement>(null);
  const placed = useMemo(() => layOut(game), [game.nodes, game.line]);
  const all = [...placed.values()];
  const here = placed.get(game.at);
  useEffect(() => {
    const element = box.current;
    if (!element || !here) return;
    element.scrollLeft = here.x * STEP - element.clientWidth / 2;
    element.scrollTop = here.y * STEP - element.clientHeight / 2;
  }, [game.at]);
  const width = (Math.max(...all.map(({ x }) => x)) + 1) * STEP + 4;
  const height = (Math.max(...all.map(({ y }) => y)) + 1) * STEP + 4;
  const at = (value: number) => value * STEP + STEP / 2 + 2;
  return (
    <div class="tree" ref={box}>
      <svg width={width} height={height} aria-hidden="true">
        {all.map(({ node, x, y }) => {
          const before = node.parent === null ? null : placed.get(node.parent);
          return before && <path key={`l${node.id}`} d={`M${at(before.x)} ${at(before.y)}L${at(x) - STEP / 2} ${at(y)}H${at(x)}`} />;
        })}
        {all.map(({ node, x, y }) => (
          <circle
            key={node.id}
            class={`${node.color ?? "start"} ${node.id === game.at ? "here" : ""}`}
            cx={at(x)}
            cy={at(y)}
            r={node.move === "pass" ? RADIUS / 2 : RADIUS}
            onClick={() => go(node.id)}
          >
            <title>{node.move ?? ""}</title>
          </circle>
        ))}
      </svg>
    </div>
  );
}
