// Inside the search: what it knows of every move, its tree as it grows, its playouts, its constants.

import { useEffect } from "preact/hooks";
import { LayerChoice, Why, type Layer } from "./Layers";
import type { Parameter, State } from "./messages";
import { PlayoutPanel } from "./PlayoutPanel";
import { SearchTree } from "./SearchTree";
import { choose, say, update, usePage } from "./store";
import { words } from "./words";

export const TABS = ["layers", "tree", "playout"] as const;
export type Tab = (typeof TABS)[number];

interface Props {
  game: State;
  hovered: string | null;
  showLine: (line: string[] | null) => void;
}

export function InsidePanel({ game, hovered, showLine }: Props) {
  const page = usePage();
  const { insideTab: tab, layer, changes } = page;
  const setChanges = (next: Record<string, number>) => update({ changes: next });
  const inside = page.inside?.node === game.at ? page.inside : null;
  const known = page.known?.node === game.at ? page.known : null;
  const run = (on: boolean, parameters = changes) => say({ type: "analyse", on, inside: true, parameters });
  useEffect(() => {
    if (game.analysing && !inside) run(true); // it runs already, but does not show its tree
  }, []);
  const recipe = game.settings.recipe;
  const changeRecipe = (name: string) => {
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
          <select id="inside-recipe" aria-label={words.recipe} value={recipe} onChange={(event) => changeRecipe(event.currentTarget.value)}>
            {page.welcome?.recipes.map((name) => <option key={name}>{name}</option>)}
          </select>
        </div>
        <p class="quiet">
          {inside ? words.insideSize(inside.simulations, inside.size, inside.open) : words.insideEmpty}
        </p>
      </section>
      <Tabs tab={tab} />
      {tab === "layers" && (
        <section class="card" aria-label={words.tabs.layers}>
          <LayerChoice layer={layer} setLayer={(chosen: Layer) => choose({ layer: chosen })} />
          {known && <Why known={known} hovered={hovered} />}
        </section>
      )}
      {tab === "tree" &&
        (inside ? (
          <SearchTree key={`${game.at} ${recipe}`} inside={inside} showLine={showLine} />
        ) : (
          <section class="card">
            <p class="quiet">{words.treeEmpty}</p>
          </section>
        ))}
      {tab === "playout" && <PlayoutPanel key={`${game.at} ${recipe}`} game={game} />}
      {tab !== "playout" && (
        <section class="card" aria-label={words.constants}>
          <h2>
            {words.constants}
            {Object.keys(changes).length > 0 && (
              <button
                class="link"
                onClick={() => {
                  setChanges({});
                  if (game.analysing) run(true, {});
                }}
              >
                {words.asBefore}
              </button>
            )}
          </h2>
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
      )}
    </>
  );
}

function Tabs({ tab }: { tab: Tab }) {
  const move = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const next = TABS[(TABS.indexOf(tab) + by + TABS.length) % TABS.length]!;
    choose({ insideTab: next });
    document.getElementById(`tab-${next}`)?.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="tabs" role="tablist" aria-label={words.inside} onKeyDown={move}>
      {TABS.map((name) => (
        <button
          key={name}
          id={`tab-${name}`}
          role="tab"
          aria-selected={tab === name}
          tabIndex={tab === name ? 0 : -1}
          onClick={() => choose({ insideTab: name })}
        >
          {words.tabs[name]}
        </button>
      ))}
    </div>
  );
}

/** A constant, within what it can be turned to. */
function Slider(props: { parameter: Parameter; value: number; change: (value: number) => void }) {
  const { parameter, value, change } = props;
  const { least, most } = parameter;
  return (
    <label class="slider" title={words.constantTitle(parameter.name)}>
      <span>{words.constant(parameter.name)}</span>
      <input
        type="range"
        min={least}
        max={most}
        step={parameter.whole ? 1 : "any"}
        value={value}
        onChange={(event) => change(event.currentTarget.valueAsNumber)}
      />
      <output>{Number(value.toPrecision(3))}</output>
    </label>
  );
}
