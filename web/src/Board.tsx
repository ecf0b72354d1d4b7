// The board: Shudan draws wood, lines and stones; what we have to say is drawn over it in SVG.

import Goban, { type Map } from "@sabaki/shudan/src/Goban.js";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { State } from "./messages";
import { Overlay, type Layers } from "./Overlay";
import { nameOf, placeOf, samePlace, type Place } from "./points";
import { words } from "./words";

const EDGE = 0.85; // of the board round its lines, in distances between lines: letters and frame
const MARGIN = 0.024; // of the room, for the shadow and the outline
const LARGEST = 96;
const SMALL = 26; // below this a finger misses: the move is asked for once more

interface Props {
  /** The first board, or the one of the second recipe. */
  which: 0 | 1;
  title: string | null;
  game: State;
  layers: Layers;
  coordinates: boolean;
  /** What a click does now; null: nothing. */
  act: ((name: string) => void) | null;
  noteAt: (name: string) => string;
  onHover: (name: string | null) => void;
  /** What stands below the board. */
  children?: ComponentChildren;
}

export function Board({ which, title, game, layers, coordinates, act, noteAt, onHover, children }: Props) {
  const { size, stones, last, to_play } = game.board;
  const frame = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  const [cursor, setCursor] = useState<Place>([Math.floor(size / 2), Math.floor(size / 2)]);
  const [focused, setFocused] = useState(false);
  const [byKeys, setByKeys] = useState(false);
  const [hovered, setHovered] = useState<Place | null>(null);
  const [asked, setAsked] = useState<Place | null>(null);
  const edge = coordinates ? EDGE : 0.4;

  useLayoutEffect(() => {
    const element = frame.current!;
    const measure = () => setRoom((1 - MARGIN) * Math.min(element.clientWidth, element.clientHeight));
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);

  useEffect(() => setCursor([Math.floor(size / 2), Math.floor(size / 2)]), [size]);
  useEffect(() => setAsked(null), [game.at, game.game]);

  const dots = Math.max(1, Math.floor(devicePixelRatio)); // lines lie on whole ones
  const vertexSize = Math.max(8, Math.min(LARGEST, Math.floor((dots * room) / (size + 2 * edge)) / dots));
  const lastPlace = placeOf(last, size);
  const markers = useMemo(
    () => stones.map((row, y) => row.map((_, x) => (samePlace([x, y], lastPlace) ? { type: "point" as const } : null))),
    [stones, last],
  );

  const choose = (place: Place, byTouch: boolean) => {
    if (!act) return;
    const name = nameOf(place, size);
    const scoring = game.phase === "scoring";
    if (byTouch && vertexSize < SMALL && !scoring && !samePlace(asked, place)) setAsked(place);
    else {
      setAsked(null);
      act(name);
    }
  };

  const key = (event: KeyboardEvent) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step) {
      const within = (value: number) => Math.max(0, Math.min(size - 1, value));
      const place: Place = [within(cursor[0] + step[0]!), within(cursor[1] + step[1]!)];
      setCursor(place);
      setByKeys(true);
      onHover(nameOf(place, size));
    } else if (event.key === "Enter") choose(cursor, false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const hover = (place: Place | null) => {
    setHovered(place);
    onHover(place && nameOf(place, size));
  };

  const name = nameOf(cursor, size);
  const told = which ? "second-cursor-told" : "cursor-told";
  const ghost = asked ?? hovered;
  const showsGhost = act && game.phase === "playing" && ghost && !stones[ghost[1]]?.[ghost[0]];
  const board = (
    <div class="board-frame" ref={frame}>
      <div
        id={which ? "second-board" : "board"}
        class="board"
        role="application"
        tabIndex={0}
        aria-label={words.boardLabel(game, title)}
        aria-describedby={told}
        onKeyDown={key}
        onFocus={(event) => {
          setFocused(true);
          setByKeys(event.currentTarget.matches(":focus-visible"));
        }}
        onBlur={() => setFocused(false)}
        onPointerDown={() => setByKeys(false)}
        onPointerLeave={() => hover(null)}
      >
        <div aria-hidden="true" class="board-drawn">
          {room > 0 && (
            <Goban
              vertexSize={vertexSize}
              signMap={stones as Map<0 | 1 | -1>}
              markerMap={layers.line ? undefined : markers}
              showCoordinates={coordinates}
              fuzzyStonePlacement
              animateStonePlacement
              onVertexPointerUp={(event, place) => {
                if (event.button === 0) choose(place, event.pointerType !== "mouse");
              }}
              onVertexPointerEnter={(event, place) => event.pointerType === "mouse" && hover(place)}
            />
          )}
          <Overlay
            size={size}
            edge={edge}
            stones={stones}
            toPlay={to_play}
            layers={layers}
            ghost={showsGhost ? ghost : null}
            cursor={focused && byKeys ? cursor : null}
          />
        </div>
      </div>
      <p id={told} class="unseen" aria-live="polite">
        {focused ? words.pointLabel(name, stones[cursor[1]]?.[cursor[0]] ?? 0, noteAt(name)) : ""}
      </p>
      {asked && (
        <button class={`confirm primary ${asked[1] > size / 2 ? "top" : ""}`} onClick={() => choose(asked, true)}>
          {words.confirm(nameOf(asked, size))}
        </button>
      )}
    </div>
  );
  return (
    <div class={`board-column ${which ? "second" : "first"}`}>
      {title && <p class="board-title">{title}</p>}
      {board}
      {children}
    </div>
  );
}
