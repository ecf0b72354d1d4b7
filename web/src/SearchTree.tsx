// The tree of a search: every node as wide as its share of the visits, its answers below it.
// A click, or the arrow keys, choose a node and show its numbers; zooming makes it the whole picture.

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Inside, TreeNode } from "./messages";
import { choose as keep, usePage } from "./store";
import { words } from "./words";

const ROWS = 6;
const ROWS_WIDE = 10;
const ROW = 34;
const NARROWEST = 1.5;

interface Box {
  node: TreeNode;
  depth: number;
  from: number;
  to: number;
}

type Children = Map<number | null, TreeNode[]>;

function childrenOf(inside: Inside): Children {
  const children: Children = new Map();
  for (const node of inside.nodes) {
    const list = children.get(node.parent);
    if (list) list.push(node);
    else children.set(node.parent, [node]);
  }
  for (const list of children.values()) list.sort((one, other) => other.visits - one.visits);
  return children;
}

/** The boxes from a node on, which is as wide as the picture. */
function boxes(children: Children, root: TreeNode | null, width: number, rows: number): Box[] {
  const all: Box[] = [];
  const place = (parent: number | null, depth: number, from: number, to: number, visits: number) => {
    let start = from;
    for (const node of children.get(parent) ?? []) {
      const end = start + ((to - from) * node.visits) / Math.max(visits, 1);
      if (end - start < NARROWEST || depth >= rows) break;
      all.push({ node, depth, from: start, to: end });
      place(node.id, depth + 1, start, end, node.visits);
      start = end;
    }
  };
  if (root) {
    all.push({ node: root, depth: 0, from: 0, to: width });
    place(root.id, 1, 0, width, root.visits);
  } else {
    const total = (children.get(null) ?? []).reduce((sum, node) => sum + node.visits, 0);
    place(null, 0, 0, width, total);
  }
  return all;
}

export function SearchTree({ inside, showLine }: { inside: Inside; showLine: (line: string[] | null) => void }) {
  const [chosen, choose] = useState<number | null>(null);
  const [zoomed, zoom] = useState<number | null>(null);
  const { wideTree } = usePage();
  const rows = wideTree ? ROWS_WIDE : ROWS;
  const picture = useRef<SVGSVGElement>(null);
  const [width, setWidth] = useState(340);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(100, Math.floor(entry!.contentRect.width))));
    observer.observe(picture.current!);
    return () => observer.disconnect();
  }, []);
  const nodes = useMemo(() => new Map(inside.nodes.map((node) => [node.id, node])), [inside]);
  const children = useMemo(() => childrenOf(inside), [inside]);
  const root = zoomed === null ? null : (nodes.get(zoomed) ?? null);
  const drawn = useMemo(() => boxes(children, root, width, rows), [children, root, width, rows]);
  const path = (node: TreeNode | null | undefined): TreeNode[] => {
    if (!node) return [];
    return [...path(node.parent === null ? null : nodes.get(node.parent)), node];
  };
  const wayTo = (node: TreeNode) => path(node).map(({ move }) => move);
  const node = chosen === null ? undefined : nodes.get(chosen);
  const out = () => root && zoom(root.parent);
  const select = (found: TreeNode | null | undefined) => {
    if (!found) return;
    choose(found.id);
    showLine(wayTo(found));
  };
  const keys: Record<string, () => void> = {
    ArrowDown: () => select(children.get(node ? node.id : null)?.[0]),
    ArrowUp: () => select(node?.parent == null ? null : nodes.get(node.parent)),
    ArrowRight: () => select(beside(children, node, 1)),
    ArrowLeft: () => select(beside(children, node, -1)),
    Enter: () => node && zoom(node.id),
    "+": () => node && zoom(node.id),
    "-": () => out(),
    Escape: () => zoom(null),
  };
  return (
    <section class="card" aria-label={words.searchTree}>
      <h2>
        {words.searchTree}
        <button class="link widen" aria-pressed={wideTree} onClick={() => keep({ wideTree: !wideTree })}>
          {wideTree ? words.narrower : words.wider}
        </button>
      </h2>
      <p class="crumbs">
        <button class="link" onClick={() => zoom(null)} disabled={!root}>
          {words.position}
        </button>
        {path(root).map((step) => (
          <button key={step.id} class="link" onClick={() => zoom(step.id)} disabled={step.id === zoomed}>
            › {step.move}
          </button>
        ))}
      </p>
      <svg
        ref={picture}
        class="search-tree"
        viewBox={`0 0 ${width} ${rows * ROW}`}
        style={{ height: `${rows * ROW}px` }}
        role="application"
        tabIndex={0}
        aria-label={words.searchTreeTold(drawn.length)}
        onKeyDown={(event) => {
          const act = keys[event.key];
          if (!act) return;
          act();
          event.preventDefault();
          event.stopPropagation();
        }}
        onBlur={() => showLine(null)}
        onWheel={(event) => {
          const under = (event.target as Element).closest("[data-node]");
          if (event.deltaY < 0 && under) zoom(Number(under.getAttribute("data-node")));
          else if (event.deltaY > 0) out();
          event.preventDefault();
        }}
      >
        {drawn.map(({ node, depth, from, to }) => (
          <g
            key={node.id}
            data-node={node.id}
            class={`box ${node.color} ${chosen === node.id ? "here" : ""} ${node.is_open ? "" : "shut"}`}
            onPointerEnter={() => showLine(wayTo(node))}
            onPointerLeave={() => showLine(null)}
            onClick={() => choose(node.id)}
            onDblClick={() => zoom(node.id)}
          >
            <rect x={from + 0.5} y={depth * ROW + 1} width={Math.max(to - from - 1, 1)} height={ROW - 2} rx="3" />
            {to - from > 24 && (
              <text x={(from + to) / 2} y={depth * ROW + (to - from > 34 ? 15 : 21)}>
                {node.move}
              </text>
            )}
            {to - from > 34 && node.win_rate !== null && (
              <text class="rate" x={(from + to) / 2} y={depth * ROW + 27}>
                {(100 * node.win_rate).toFixed(0)} %
              </text>
            )}
          </g>
        ))}
      </svg>
      <div class="buttons tight">
        <button disabled={!node || node.id === zoomed} onClick={() => node && zoom(node.id)}>
          {words.zoomIn}
        </button>
        <button disabled={!root} onClick={out}>
          {words.zoomOut}
        </button>
      </div>
      {node ? <Numbers node={node} inside={inside} way={wayTo(node)} /> : <p class="quiet">{words.searchTreeHelp}</p>}
    </section>
  );
}

function beside(children: Children, node: TreeNode | undefined, by: number): TreeNode | undefined {
  const list = children.get(node ? node.parent : null) ?? [];
  return list[(node ? list.findIndex((other) => other.id === node.id) : -1) + by];
}

/** What the formula knows of a node, and what it makes of it. */
function Numbers({ node, inside, way }: { node: TreeNode; inside: Inside; way: string[] }) {
  const share = (value: number | null) => (value === null ? "–" : `${(100 * value).toFixed(1)} %`);
  const known: [string, string][] = [
    [words.visits, node.visits.toLocaleString("en")],
    [words.layerName.wins, share(node.win_rate)],
    [words.layerName.rave, `${share(node.rave)} · ${words.games(node.rave_visits)}`],
    [words.layerName.prior, `${share(node.prior)} · ${words.games(node.prior_games)}`],
    [words.layerName.h, node.h.toFixed(4)],
    [words.layerName.open, node.is_open ? words.yes : words.no],
  ];
  return (
    <table class="numbers formula">
      <caption>{way.join(" → ")}</caption>
      <tbody>
        {known.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
        {node.terms.map((value, i) => (
          <tr key={inside.terms[i]} class="part">
            <th scope="row">{words.part(inside.terms[i]!)}</th>
            <td>{signed(value)}</td>
          </tr>
        ))}
        {node.score !== null && (
          <tr class="sum">
            <th scope="row">{words.layerName.score}</th>
            <td>{signed(node.score)}</td>
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr>
          <td colSpan={2} class="quiet">
            {inside.formula}
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

function signed(value: number): string {
  return value.toFixed(3).replace("-", "−");
}
