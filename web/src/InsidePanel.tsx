// Inside the search: what it knows of every move, its tree as it grows, and what its constants do.

import { useState } from "preact/hooks";
import { say, usePage } from "./store";
import type { Inside, Parameter, State, TreeNode } from "./messages";
import { short } from "./Overlay";
import { words } from "./words";

export type Layer = "visits" | "win_rate" | "rave" | "h";
const LAYERS: Layer[] = ["visits", "win_rate", "rave", "h"];

interface Props {
  game: State;
  layer: Layer;
  setLayer: (layer: Layer) => void;
  showLine: (line: string[] | null) => void;
}

/** What a layer writes on every point, and how strongly it is drawn, 0 to 1. */
export function marksOf(inside: Inside | null, layer: Layer): { move: string; text: string; strength: number }[] {
  const moves = (inside?.nodes ?? []).filter((node) => node.parent === null);
  const value = (node: TreeNode) => node[layer];
  const values = moves.map(value).filter((number): number is number => number !== null);
  const least = layer === "win_rate" || layer === "rave" ? Math.min(...values) : 0;
  const most = Math.max(...values, least + 1e-9);
  return moves.flatMap((node) => {
    const number = value(node);
    if (number === null || (layer !== "win_rate" && layer !== "rave" && number <= 0)) return [];
    return [{ move: node.move, text: told(number, layer), strength: (number - least) / (most - least) }];
  });
}

function told(number: number, layer: Layer): string {
  if (layer === "visits") return short(number);
  return layer === "h" ? number.toFixed(2) : (100 * number).toFixed(0);
}

export function InsidePanel({ game, layer, setLayer, showLine }: Props) {
  const page = usePage();
  const inside = page.inside?.node === game.at ? page.inside : null;
  const [changes, setChanges] = useState<Record<string, number>>({});
  const run = (on: boolean, parameters = changes) => say({ type: "analyse", on, inside: true, parameters });
  const recipe = game.settings.recipe;
  const choose = (name: string) => {
    setChanges({});
    say({ type: "change", recipe: name });
    if (game.analysing) run(true, {});
  };
  return (
    <>
      <section class="card" aria-label={words.inside}>
        <div class="buttons tight spread">
          <button class={game.analysing ? "" : "primary"} onClick={() => run(!game.analysing)}>
            {game.analysing ? words.stop : words.search}
          </button>
          <select id="inside-recipe" aria-label={words.recipe} value={recipe} onChange={(event) => choose(event.currentTarget.value)}>
            {page.welcome?.recipes.map((name) => <option key={name}>{name}</option>)}
          </select>
        </div>
        {inside ? (
          <p class="quiet">{words.insideSize(inside.simulations, inside.size)}</p>
        ) : (
          <p class="quiet">{words.insideEmpty}</p>
        )}
        <fieldset class="layers">
          <legend>{words.layer}</legend>
          <div class="choice">
            {LAYERS.map((name) => (
              <label key={name} title={words.layerTitle[name]}>
                <input type="radio" name="layer" checked={layer === name} onChange={() => setLayer(name)} />
                <span>{words.layerName[name]}</span>
              </label>
            ))}
          </div>
          <p class="quiet">{words.layerTitle[layer]}</p>
        </fieldset>
      </section>
      {inside && <SearchTree inside={inside} showLine={showLine} />}
      <section class="card" aria-label={words.constants}>
        <h2>{words.constants}</h2>
        {(page.welcome?.parameters[recipe] ?? []).map((parameter) => (
          <Slider
            key={`${recipe} ${parameter.name}`}
            parameter={parameter}
            value={changes[parameter.name] ?? parameter.value}
            change={(value) => {
              const next = { ...changes, [parameter.name]: value };
              setChanges(next);
              if (game.analysing) run(true, next);
            }}
          />
        ))}
        <p class="quiet">{words.constantsHelp}</p>
      </section>
    </>
  );
}

/** From nothing to four times the usual value. */
function Slider(props: { parameter: Parameter; value: number; change: (value: number) => void }) {
  const { parameter, value, change } = props;
  const most = parameter.value > 0 ? 4 * parameter.value : 1;
  const step = parameter.whole ? 1 : most / 100;
  return (
    <label class="slider">
      <span>{parameter.name}</span>
      <input
        type="range"
        min={parameter.whole ? Math.min(1, parameter.value) : 0}
        max={most}
        step={step}
        value={value}
        onChange={(event) => change(event.currentTarget.valueAsNumber)}
      />
      <output>{Number(value.toPrecision(3))}</output>
    </label>
  );
}

const ROWS = 5;
const WIDTH = 340;
const ROW = 34;

interface Box {
  node: TreeNode;
  depth: number;
  from: number;
  to: number;
}

/** Every node as wide as its share of the visits: the root's moves above, their answers below. */
function boxes(inside: Inside): Box[] {
  const children = new Map<number | null, TreeNode[]>();
  for (const node of inside.nodes) children.set(node.parent, [...(children.get(node.parent) ?? []), node]);
  const all: Box[] = [];
  const place = (parent: number | null, depth: number, from: number, to: number, visits: number) => {
    let start = from;
    const list = [...(children.get(parent) ?? [])].sort((one, other) => other.visits - one.visits);
    for (const node of list) {
      const end = start + ((to - from) * node.visits) / Math.max(visits, 1);
      if (end - start < 2 || depth >= ROWS) continue;
      all.push({ node, depth, from: start, to: end });
      place(node.id, depth + 1, start, end, node.visits);
      start = end;
    }
  };
  const total = (children.get(null) ?? []).reduce((sum, node) => sum + node.visits, 0);
  place(null, 0, 0, WIDTH, total);
  return all;
}

function SearchTree({ inside, showLine }: { inside: Inside; showLine: (line: string[] | null) => void }) {
  const [chosen, choose] = useState<number | null>(null);
  const nodes = new Map(inside.nodes.map((node) => [node.id, node]));
  const drawn = boxes(inside);
  const wayTo = (node: TreeNode): string[] => {
    const before = node.parent === null ? undefined : nodes.get(node.parent);
    return before ? [...wayTo(before), node.move] : [node.move];
  };
  const node = chosen === null ? undefined : nodes.get(chosen);
  return (
    <section class="card" aria-label={words.searchTree}>
      <h2>{words.searchTree}</h2>
      <svg class="search-tree" viewBox={`0 0 ${WIDTH} ${ROWS * ROW}`} role="img" aria-label={words.searchTreeTold(drawn.length)}>
        {drawn.map(({ node, depth, from, to }) => (
          <g
            key={node.id}
            class={`box ${node.color} ${chosen === node.id ? "here" : ""}`}
            onPointerEnter={() => showLine(wayTo(node))}
            onPointerLeave={() => showLine(null)}
            onClick={() => choose(node.id)}
          >
            <rect x={from + 0.5} y={depth * ROW + 1} width={Math.max(to - from - 1, 1)} height={ROW - 2} rx="3" />
            {to - from > 26 && (
              <text x={(from + to) / 2} y={depth * ROW + ROW / 2 + 4}>
                {node.move}
              </text>
            )}
          </g>
        ))}
      </svg>
      {node ? <Numbers node={node} way={wayTo(node)} /> : <p class="quiet">{words.searchTreeHelp}</p>}
    </section>
  );
}

/** What the formula knows of a node. */
function Numbers({ node, way }: { node: TreeNode; way: string[] }) {
  const share = (value: number | null) => (value === null ? "–" : `${(100 * value).toFixed(1)} %`);
  const rows: [string, string][] = [
    [words.visits, node.visits.toLocaleString("en")],
    [words.layerName.win_rate, share(node.win_rate)],
    [words.layerName.rave, `${share(node.rave)} · ${node.rave_visits.toLocaleString("en")}`],
    [words.layerName.h, node.h.toFixed(4)],
  ];
  return (
    <table class="numbers">
      <caption>{way.join(" → ")}</caption>
      <tbody>
        {rows.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
