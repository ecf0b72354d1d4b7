// A paper's table with our figures beside it.

import type { FigureShown, TableRow } from "./messages";
import { say, update, usePage } from "./store";
import { words } from "./words";

export function PaperTable() {
  const { table, tableAsked } = usePage();
  if (!table) return <p class="quiet note">{tableAsked ? words.workingOut(tableAsked) : words.chooseTable}</p>;
  const other = table.scale === "full" ? "quick" : "full";
  return (
    <section class="card" aria-label={table.title}>
      <h2 class="big">
        <span>
          {table.experiment} · {table.title}
        </span>
        <button
          class="link"
          onClick={() => {
            update({ table: null });
            say({ type: "showtable", experiment: table.experiment, scale: other });
          }}
        >
          {words.otherScale[other]}
        </button>
      </h2>
      <p class="quiet">
        {table.source}. {words.scale[table.scale]}
      </p>
      <div class="scrolled tall" tabIndex={0} role="region" aria-label={table.title}>
        <table class="paper">
          <thead>
            <tr>
              <th scope="col">{words.row}</th>
              <th scope="col">{words.paper}</th>
              <th scope="col">{words.ours}</th>
              <th scope="col" class="plot-head">
                <span class="key-paper" /> {words.paper} <span class="key-ours" /> {words.ours}
              </th>
              <th scope="col" class="not-narrow">{words.state}</th>
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row, i) => (
              <Row key={i} row={row} rows={table.rows} />
            ))}
          </tbody>
        </table>
      </div>
      {table.claims.length > 0 && (
        <ul class="claims">
          {table.claims.map(({ claim, verdict }) => (
            <li key={claim}>
              <span class={`verdict ${verdict.startsWith("holds") ? "holds" : "fails"}`}>{verdict}</span> {claim}
            </li>
          ))}
        </ul>
      )}
      {table.finding && <p>{table.finding}</p>}
      {table.notes && <p class="quiet">{table.notes}</p>}
    </section>
  );
}

function Row({ row, rows }: { row: TableRow; rows: TableRow[] }) {
  return (
    <tr>
      <th scope="row">
        {row.label} <small class="narrow">{row.state}</small>
      </th>
      <td>
        <Told figure={row.paper} unit={row.unit} />
      </td>
      <td>
        <Told figure={row.ours} unit={row.unit} />
      </td>
      <td>
        <Intervals row={row} rows={rows} />
      </td>
      <td class="quiet not-narrow">{row.state}</td>
    </tr>
  );
}

function Told({ figure, unit }: { figure: FigureShown | null; unit: string }) {
  if (figure?.value == null) return <>–</>;
  const number = (value: number) => (unit === "%" ? words.decimal(value) : words.figure(value));
  return (
    <>
      {number(figure.value)}
      {unit === "%" && " %"}{" "}
      {figure.low !== null && figure.high !== null && (
        <span class="bounds">
          ({number(figure.low)} – {number(figure.high)})
        </span>
      )}
    </>
  );
}

const WIDE = 150;

/** Both figures with their intervals, on the scale that rows of the same unit share. */
function Intervals({ row, rows }: { row: TableRow; rows: TableRow[] }) {
  const same = rows.filter((other) => other.unit === row.unit);
  const all = same
    .flatMap((other) => [other.paper, other.ours])
    .flatMap((figure) => (figure ? [figure.value, figure.low, figure.high] : []))
    .filter((value): value is number => value !== null);
  const least = Math.min(0, ...all);
  const most = row.unit === "%" ? Math.max(100, ...all) : Math.max(...all, least + 1e-9);
  const x = (value: number) => ((value - least) / (most - least)) * WIDE;
  const draw = (figure: FigureShown | null, y: number, kind: string) =>
    figure?.value != null && (
      <g class={kind}>
        {figure.low !== null && figure.high !== null && <path d={`M${x(figure.low)} ${y}H${x(figure.high)}`} />}
        <circle cx={x(figure.value)} cy={y} r="3.2" />
      </g>
    );
  return (
    <svg class="intervals" viewBox={`-5 0 ${WIDE + 10} 24`} aria-hidden="true">
      <path class="grid" d={`M0 12H${WIDE}`} />
      {draw(row.paper, 7, "of-paper")}
      {draw(row.ours, 17, "of-ours")}
    </svg>
  );
}
