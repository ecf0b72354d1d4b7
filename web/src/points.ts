// Names of points and places on the drawing: columns skip the letter I, rows count from the bottom.

const COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

export type Place = [x: number, y: number];

/** The name of a place; x and y count from 0 at the top left. */
export function nameOf([x, y]: Place, size: number): string {
  return `${COLUMNS[x]}${size - y}`;
}

/** The place of a name, or null for a pass. */
export function placeOf(name: string | null | undefined, size: number): Place | null {
  const found = /^([A-Z])(\d+)$/.exec(name ?? "");
  if (!found) return null;
  return [COLUMNS.indexOf(found[1]!), size - Number(found[2])];
}

export function samePlace(one: Place | null, other: Place | null): boolean {
  return !!one && !!other && one[0] === other[0] && one[1] === other[1];
}
