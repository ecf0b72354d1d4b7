// Games out and in.

import { useRef } from "preact/hooks";
import { copyLink, openFile } from "./acts";
import type { State } from "./messages";
import { say, update } from "./store";
import { words } from "./words";

export function Files({ game }: { game: State }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div class="buttons files" role="group" aria-label={words.game}>
      <button onClick={() => update({ dialog: "new" })}>{words.newGame}</button>
      <button onClick={() => say({ type: "save" })}>{words.save}</button>
      <button onClick={() => input.current?.click()}>{words.open}</button>
      <button onClick={() => void copyLink(game)}>{words.link}</button>
      <input
        ref={input}
        type="file"
        accept=".sgf,application/x-go-sgf"
        hidden
        aria-label={words.open}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = "";
          if (file) void openFile(file);
        }}
      />
    </div>
  );
}
