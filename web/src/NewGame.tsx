// The form for a new game.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Settings, Welcome } from "./messages";
import { begin, closed, lastSettings, now } from "./store";
import { words } from "./words";

const SIZES = [9, 13, 19];
const ALL_SIZES = Array.from({ length: 18 }, (_, i) => i + 2);
const HANDICAPS = [0, 2, 3, 4, 5, 6, 7, 8, 9];

export function NewGame({ welcome }: { welcome: Welcome }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [settings, set] = useState<Settings>(lastSettings());
  const change = (changes: Partial<Settings>) => set({ ...settings, ...changes });
  useEffect(() => dialog.current?.showModal(), []);

  const usualKomi = (changes: Partial<Settings>): Partial<Settings> => {
    const next = { ...settings, ...changes };
    const rules = welcome.rules.find((known) => known.name === next.rules);
    return { ...changes, komi: next.handicap > 1 ? 0.5 : (rules?.komi ?? 7.5) };
  };
  const submit = (event: Event) => {
    event.preventDefault();
    begin(settings, now().game?.mode === "analyse" && settings.user === "both" ? "analyse" : "play");
    closed("new");
  };
  const territory = welcome.rules.find((known) => known.name === settings.rules)?.territory;
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="new-title" onClose={() => closed("new")}>
      <form onSubmit={submit}>
        <h2 id="new-title">{words.newGame}</h2>
        <fieldset>
          <legend>{words.size}</legend>
          <div class="choice">
            {SIZES.map((size) => (
              <label key={size}>
                <input type="radio" name="size" checked={settings.size === size} onChange={() => change({ size })} />
                <span>{words.sizeValue(size)}</span>
              </label>
            ))}
            <select
              aria-label={words.size}
              id="size"
              class={SIZES.includes(settings.size) ? "" : "chosen-size"}
              value={SIZES.includes(settings.size) ? "" : settings.size}
              onChange={(event) => change({ size: Number(event.currentTarget.value) })}
            >
              <option value="" hidden>
                {words.otherSize}
              </option>
              {ALL_SIZES.map((size) => (
                <option key={size} value={size}>
                  {words.sizeValue(size)}
                </option>
              ))}
            </select>
          </div>
        </fieldset>
        <fieldset>
          <legend>{words.colour}</legend>
          <div class="choice">
            {(["black", "white", "both"] as const).map((user) => (
              <label key={user}>
                <input type="radio" name="user" checked={settings.user === user} onChange={() => change({ user })} />
                <span>
                  {user !== "both" && <i class={`stone ${user}`} />}
                  {user === "both" ? words.both : words.side(user)}
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        <Strength limit={settings.limit} welcome={welcome} change={(limit) => change({ limit })} />
        <details>
          <summary>{words.more}</summary>
          <div class="fields">
            <label>
              {words.handicap}
              <select
                id="handicap"
                value={settings.handicap}
                onChange={(event) => change(usualKomi({ handicap: Number(event.currentTarget.value) }))}
              >
                {HANDICAPS.map((count) => (
                  <option key={count} value={count}>
                    {count ? words.stones(count) : words.none}
                  </option>
                ))}
              </select>
            </label>
            <label>
              {words.komi}
              <input
                id="komi"
                type="number"
                step="0.5"
                min="-200"
                max="200"
                required
                value={settings.komi}
                onInput={(event) => change({ komi: event.currentTarget.valueAsNumber })}
              />
            </label>
            <label>
              {words.rules}
              <select
                id="rules"
                value={settings.rules}
                onChange={(event) => change(usualKomi({ rules: event.currentTarget.value as Settings["rules"] }))}
              >
                {welcome.rules.map(({ name }) => (
                  <option key={name} value={name}>
                    {words.rulesName[name]}
                  </option>
                ))}
              </select>
            </label>
            <label>
              {words.recipe}
              <select id="recipe" value={settings.recipe} onChange={(event) => change({ recipe: event.currentTarget.value })}>
                {welcome.recipes.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
          </div>
          {territory && <p class="quiet">{words.territoryNote}</p>}
        </details>
        <div class="buttons end">
          <button type="button" onClick={() => closed("new")}>
            {words.cancel}
          </button>
          <button class="primary">{words.start}</button>
        </div>
      </form>
    </dialog>
  );
}

type Limit = Settings["limit"];

/** How long the program thinks: by level, by time or by simulations. */
export function Strength(props: { limit: Limit; welcome: Welcome; change: (limit: Limit) => void }) {
  const { limit, welcome, change } = props;
  const usual: Record<NonNullable<Limit["by"]>, number> = { level: 4, seconds: 2, simulations: 1000 };
  const most = { level: welcome.levels.length, seconds: welcome.most_seconds, simulations: welcome.most_simulations };
  const by = limit.by ?? "level";
  const amount = limit.amount ?? usual[by];
  return (
    <fieldset>
      <legend>{words.strength}</legend>
      <div class="choice">
        {(["level", "seconds", "simulations"] as const).map((kind) => (
          <label key={kind}>
            <input type="radio" name="by" checked={by === kind} onChange={() => change({ by: kind, amount: usual[kind] })} />
            <span>{words.by[kind]}</span>
          </label>
        ))}
      </div>
      {by === "level" ? (
        <label class="level">
          <input
            type="range"
            id="level"
            min="1"
            max={most.level}
            value={amount}
            onInput={(event) => change({ by, amount: event.currentTarget.valueAsNumber })}
          />
          <output>{words.levelName(amount, welcome.levels[amount - 1])}</output>
        </label>
      ) : (
        <label class="level">
          <span class="unseen">{words.by[by]}</span>
          <input
            type="number"
            id="amount"
            required
            min={by === "seconds" ? 0.1 : 1}
            max={most[by]}
            step={by === "seconds" ? 0.1 : 1}
            value={amount}
            onInput={(event) => change({ by, amount: event.currentTarget.valueAsNumber })}
          />
        </label>
      )}
    </fieldset>
  );
}
