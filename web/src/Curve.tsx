// Black's chance to win, move by move; a click goes to the move.

import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import type { State } from "./messages";
import { usePage } from "./store";
import { words } from "./words";

const HEIGHT = 130;

interface Props {
  game: State;
  go: ((node: number) => void) | null;
  /** Moves that stand out. */
  marks?: { node: number; bad: boolean }[];
}

export function Curve({ game, go, marks = [] }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const { theme } = usePage();
  const nodes = new Map(game.nodes.map((node) => [node.id, node]));
  const reviewed = usePage().reviewed;
  const rates = game.line.map((id, i) => nodes.get(id)?.win_rate ?? (game.reviewing ? (reviewed?.win_rates[i] ?? null) : null));
  const known = rates.filter((rate) => rate !== null).length;
  const at = game.line.indexOf(game.at);
  const latest = useRef({ go, line: game.line, at, marks, rates });
  latest.current = { go, line: game.line, at, marks, rates };

  useEffect(() => {
    if (known < 2 || !box.current) return;
    const style = getComputedStyle(document.documentElement);
    const color = (name: string) => style.getPropertyValue(name).trim();
    const options: uPlot.Options = {
      width: box.current.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
      scales: { x: { time: false }, y: { range: [0, 100] } },
      axes: [
        { stroke: color("--muted"), grid: { show: false }, ticks: { show: false }, size: 22, incrs: [1, 2, 5, 10, 20, 50, 100] },
        {
          stroke: color("--muted"),
          grid: { stroke: color("--line"), width: 1 },
          ticks: { show: false },
          size: 46,
          splits: [0, 50, 100],
          values: (_, all) => all.map((value) => `${value} %`),
        },
      ],
      series: [{}, { stroke: color("--accent"), width: 2, spanGaps: true, points: { show: known < 40, size: 5 }, fill: color("--accent-soft") }],
      hooks: {
        draw: [
          (drawn) => {
            const x = drawn.valToPos(latest.current.at, "x", true);
            drawn.ctx.strokeStyle = color("--text");
            drawn.ctx.setLineDash([4, 4]);
            drawn.ctx.beginPath();
            drawn.ctx.moveTo(x, drawn.bbox.top);
            drawn.ctx.lineTo(x, drawn.bbox.top + drawn.bbox.height);
            drawn.ctx.stroke();
            drawn.ctx.setLineDash([]);
            drawMarks(drawn, latest.current, color("--second"));
          },
        ],
      },
    };
    const made = new uPlot(options, [[], []], box.current);
    made.over.addEventListener("click", () => {
      const index = made.cursor.idx;
      const node = latest.current.line[index ?? -1];
      if (node !== undefined) latest.current.go?.(node);
    });
    plot.current = made;
    const observer = new ResizeObserver(([entry]) => made.setSize({ width: entry!.contentRect.width, height: HEIGHT }));
    observer.observe(box.current);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [known < 2, theme]);

  useEffect(() => {
    plot.current?.setData([game.line.map((_, i) => i), rates.map((rate) => (rate === null ? null : 100 * rate))]);
  });

  const last = rates.filter((rate) => rate !== null).at(-1);
  return (
    <section class="card" aria-label={words.winRate}>
      <h2>
        {words.winRate}
        {last !== undefined && last !== null && <b class="figure">{words.percent(last)}</b>}
      </h2>
      {known < 2 ? (
        <p class="quiet">{words.noCurve}</p>
      ) : (
        <div ref={box} class="curve" role="img" aria-label={`${words.winRate}: ${words.percent(last ?? 0)}`} />
      )}
    </section>
  );
}

/** Bad moves as filled diamonds, doubtful ones as open ones. */
function drawMarks(
  plot: uPlot,
  { marks, line, rates }: { marks: { node: number; bad: boolean }[]; line: number[]; rates: (number | null)[] },
  color: string,
): void {
  const { ctx } = plot;
  const reach = 5 * devicePixelRatio;
  ctx.strokeStyle = ctx.fillStyle = color;
  for (const { node, bad } of marks) {
    const index = line.indexOf(node);
    const rate = rates[index];
    if (rate === null || rate === undefined) continue;
    const x = plot.valToPos(index, "x", true);
    const y = plot.valToPos(100 * rate, "y", true);
    ctx.beginPath();
    ctx.moveTo(x, y - reach);
    ctx.lineTo(x + reach, y);
    ctx.lineTo(x, y + reach);
    ctx.lineTo(x - reach, y);
    ctx.closePath();
    if (bad) ctx.fill();
    ctx.stroke();
  }
}
