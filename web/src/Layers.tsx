// What the search thinks of every move, as numbers on the board; and why knowledge likes one.

import type { Inside, Known, KnownMove, TreeNode } from "./messages";
import type { MarkShown } from "./Overlay";
import { short } from "./Overlay";
import { nameOf } from "./points";
import { words } from "./words";

export const LAYERS = ["visits", "wins", "rave", "score", "h", "prior", "patterns", "open", "owners", "critical"] as const;
export type Layer = (typeof LAYERS)[number];

const SHAPE = "3x3 shape"; // as the engine calls this term of H
const percent = (share: number) => (100 * share).toFixed(0);

interface Drawn {
  value: (node: TreeNode) => number | null;
  text: (value: number) => string;
  /** Whether the least value is as good as nothing, or the value 0 is. */
  fromLeast: boolean;
}

const OF_NODES: Partial<Record<Layer, Drawn>> = {
  visits: { value: (node) => node.visits || null, text: short, fromLeast: false },
  wins: { value: (node) => node.win_rate, text: percent, fromLeast: true },
  rave: { value: (node) => node.rave, text: percent, fromLeast: true },
  score: { value: (node) => (node.is_open ? node.score : null), text: brief, fromLeast: true },
  h: { value: (node) => (node.h === 0 ? null : node.h), text: brief, fromLeast: true },
  prior: { value: (node) => node.prior, text: percent, fromLeast: true },
};

/** 0.12, 3.4, 56, 1.2k */
function brief(value: number): string {
  const size = Math.abs(value);
  if (size >= 1000) return short(Math.round(value));
  return value.toFixed(size >= 10 ? 0 : size >= 1 ? 1 : 2);
}

/** What a layer writes on every point, and how strongly it is drawn, 0 to 1. */
export function marksOf(inside: Inside | null, known: Known | null, layer: Layer, size: number): MarkShown[] {
  if (layer === "patterns") return patternMarks(known);
  if (!inside) return [];
  if (layer === "open") return openMarks(inside);
  if (layer === "critical") return criticalMarks(inside, size);
  const drawn = OF_NODES[layer];
  if (!drawn) return [];
  const moves = inside.nodes.filter((node) => node.parent === null);
  const values = moves.map(drawn.value).filter((value): value is number => value !== null);
  const most = Math.max(...values, 1e-9);
  const least = drawn.fromLeast ? Math.min(...values) : 0;
  return moves.flatMap((node) => {
    const value = drawn.value(node);
    if (value === null || drawn.text(value) === "0.00") return [];
    return [{ move: node.move, text: drawn.text(value), strength: most > least ? (value - least) / (most - least) : 1 }];
  });
}

function patternMarks(known: Known | null): MarkShown[] {
  const matched = (known?.moves ?? []).filter((move) => move.pattern);
  const most = Math.max(...matched.map((move) => move.shape), 1e-9);
  return matched.map((move) => ({ move: move.move, text: brief(move.shape), strength: Math.min(1, move.shape / most) }));
}

/** Open moves carry their place in the order of H; those that are shut a dash. */
function openMarks(inside: Inside): MarkShown[] {
  const moves = inside.nodes.filter((node) => node.parent === null);
  return moves.map((node, place) => ({
    move: node.move,
    text: node.is_open ? String(place + 1) : "–",
    strength: node.is_open ? 1 - (0.7 * place) / moves.length : 0,
    faint: !node.is_open,
  }));
}

function criticalMarks(inside: Inside, size: number): MarkShown[] {
  const most = Math.max(...inside.criticality.flat(), 1e-9);
  return inside.criticality.flatMap((row, y) =>
    row.flatMap((value, x) =>
      value < 0.02 ? [] : [{ move: nameOf([x, y], size), text: percent(value), strength: value / most }],
    ),
  );
}

export function LayerChoice({ layer, setLayer }: { layer: Layer; setLayer: (layer: Layer) => void }) {
  return (
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
  );
}

/** Why knowledge likes a move: that under the pointer, or else the one that it likes best. */
export function Why({ known, hovered }: { known: Known; hovered: string | null }) {
  const best = known.moves.reduce<KnownMove | null>((one, other) => (one && one.h >= other.h ? one : other), null);
  const move = known.moves.find((other) => other.move === hovered) ?? best;
  if (!move || !known.unit) return <p class="quiet">{words.whyNothing}</p>;
  const hasShape = move.terms.some((term) => term.name === SHAPE);
  const terms = hasShape ? move.terms.filter((term) => term.name !== SHAPE || !move.pattern) : move.terms;
  return (
    <table class="numbers why">
      <caption>
        {words.why(move.move)} <span class="quiet">{words.hOf(brief(move.h))}</span>
      </caption>
      <tbody>
        {terms.map((term) => (
          <tr key={term.name}>
            <th scope="row">{words.termName(term.name)}</th>
            <td>{words.term(words.unitOf(term.name, known.unit), term.value)}</td>
          </tr>
        ))}
        {(move.pattern || terms === move.terms) && (
          <tr>
            <th scope="row">{words.shape(move.pattern)}</th>
            <td>{words.term("factor", move.shape)}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
