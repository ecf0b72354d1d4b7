// The laboratory: the matches of a results folder, live while they run, and the papers' tables.

import { useEffect } from "preact/hooks";
import { MatchView, Elo } from "./MatchView";
import type { ExperimentLine, MatchLine } from "./messages";
import { PaperTable } from "./PaperTable";
import { choose, say, update, usePage } from "./store";
import { words } from "./words";

export function LaboratoryPage() {
  const { matches, match, table, labTab: tab } = usePage();
  useEffect(() => {
    say({ type: "laboratory", on: true });
    return () => say({ type: "laboratory", on: false });
  }, []);
  const isChosen = tab === "matches" ? !!match : !!table;
  const back = () => {
    update({ match: null, table: null });
    if (tab === "matches") say({ type: "showmatch", match: null });
  };
  return (
    <main class={`laboratory ${isChosen ? "chosen" : ""}`}>
      <div class="lab-list">
        <div class="tabs" role="tablist" aria-label={words.laboratory}>
          {(["matches", "papers"] as const).map((name) => (
            <button key={name} role="tab" aria-selected={tab === name} onClick={() => choose({ labTab: name })}>
              {words.labTabs[name]}
            </button>
          ))}
        </div>
        {!matches ? (
          <p class="quiet note">{words.reading}</p>
        ) : tab === "matches" ? (
          <MatchList matches={matches.matches} chosen={match?.match.id ?? null} />
        ) : (
          <ExperimentList experiments={matches.experiments} chosen={table?.experiment ?? null} />
        )}
      </div>
      <div class="lab-detail">
        {isChosen && (
          <button class="small back-to-list" onClick={back}>
            ‹ {words.backToList}
          </button>
        )}
        {tab === "matches" ? <MatchView /> : <PaperTable />}
      </div>
    </main>
  );
}

function MatchList({ matches, chosen }: { matches: MatchLine[]; chosen: string | null }) {
  if (matches.length === 0) return <p class="quiet note">{words.noMatches}</p>;
  return (
    <ul class="rows">
      {matches.map((match) => (
        <li key={match.id}>
          <button
            class="row"
            aria-current={match.id === chosen ? "true" : undefined}
            onClick={() => say({ type: "showmatch", match: match.id })}
          >
            <span class="row-name">
              {match.running && <i class="live" title={words.running} />}
              {match.name}
            </span>
            <span class="row-figure">{match.problem ? "!" : <Elo match={match} />}</span>
            <small class="row-about">{match.problem || words.matchAbout(match)}</small>
            {match.running && match.asked && <progress max={match.asked} value={match.games} aria-label={words.running} />}
          </button>
        </li>
      ))}
    </ul>
  );
}

function ExperimentList({ experiments, chosen }: { experiments: ExperimentLine[]; chosen: string | null }) {
  return (
    <ul class="rows">
      {experiments.map((experiment) => (
        <li key={experiment.name}>
          <button
            class="row"
            disabled={!!experiment.missing}
            aria-current={experiment.name === chosen ? "true" : undefined}
            onClick={() => {
              update({ table: null, tableAsked: experiment.name });
              say({ type: "showtable", experiment: experiment.name, scale: experiment.scale });
            }}
          >
            <span class="row-name">
              <b>{experiment.name}</b> {experiment.title}
            </span>
            <span class="state">{words.doneOf(experiment)}</span>
            <small class="row-about">{experiment.missing || experiment.source}</small>
          </button>
        </li>
      ))}
    </ul>
  );
}
