import { useEffect, useRef } from "preact/hooks";
import { closed } from "./store";
import { words } from "./words";

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="help-title" onClose={() => closed("help")}>
      <h2 id="help-title">{words.help}</h2>
      <p>{words.helpAbout}</p>
      <dl class="keys">
        {words.keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <div class="buttons end">
        <a href="/licenses.txt">{words.licences}</a>
        <button class="primary" autofocus onClick={() => closed("help")}>
          {words.close}
        </button>
      </div>
    </dialog>
  );
}
