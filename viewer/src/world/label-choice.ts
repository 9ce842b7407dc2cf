import { placeAt, type Row, showsAs } from "../data/rows.ts";
import * as store from "../data/store.ts";
import type { Label, LabelColours } from "./labels.ts";
import type { Walker } from "./ways.ts";

const COLOURS: Record<store.Theme, LabelColours> = {
  light: { ink: "#1b2723", paper: "#fbfcfa", accent: "#f2a33a", select: "#1f6feb", faint: "#5a6863" },
  dark: { ink: "#e6eeea", paper: "#1a211e", accent: "#ffb347", select: "#2f74e0", faint: "#9aa8a2" },
};

/** Beyond this many things only important ones are named: the largest first. */
const MOST_THINGS = 500;

/** The labels at a time, with their ranks. */
export function labelsFor(
  found: store.Loaded | null,
  time: number,
  walkers: readonly Walker[],
  [lowest, highest]: readonly [number, number],
): { labels: Label[]; colours: LabelColours } {
  const colours = COLOURS[store.theme.value];
  if (found === null) return { labels: [], colours };
  const labels: Label[] = [];
  for (const row of candidates(found)) {
    const label = labelOf(row, time);
    if (label && row.z >= lowest && row.z <= highest) labels.push(label);
  }
  for (const { name, outline, z, type, fromUs } of found.scene.regions) {
    if (type !== "room" || store.fromUs(fromUs) > time || z < lowest - 0.3 || z > highest) continue;
    const x = outline.reduce((sum, corner) => sum + corner.x, 0) / outline.length;
    const y = outline.reduce((sum, corner) => sum + corner.y, 0) / outline.length;
    labels.push({ text: name, x, y, z, rank: 60, style: "room" });
  }
  for (const { mark, name, colour, type } of walkers) {
    if (!mark.visible || type !== "agent") continue;
    const { x, y, z } = mark.position;
    labels.push({ text: name, x, y, z: z + 0.2, rank: 70, style: "walker", colour });
  }
  return { labels, colours };
}

let held: { of: readonly Row[]; largest: readonly Row[] } | null = null;

/** Of a hundred thousand rows only the largest, and marked ones. */
function candidates({ rows, tracks }: store.Loaded): readonly Row[] {
  if (rows.length <= MOST_THINGS) return rows;
  if (held?.of !== rows)
    held = { of: rows, largest: rows.toSorted((a, b) => bulk(b) - bulk(a)).slice(0, MOST_THINGS) };
  const marked = [store.selected.value, store.hovered.value, ...[...store.lit.value].slice(0, 64)].flatMap(
    (track) => (track === null ? [] : (tracks.get(track) ?? [])),
  );
  return [...new Set([...held.largest, ...marked])];
}

function bulk({ size }: Row): number {
  return size[0] * size[1] * size[2];
}

function labelOf(row: Row, time: number): Label | null {
  const as = showsAs(row, time);
  if (as === null) return null;
  const { x, y, z } = placeAt(row, time);
  const isSelected = store.selected.value === row.track;
  const isLit = store.lit.value.has(row.track);
  const style = isSelected ? "selected" : isLit ? "lit" : as === "ghost" ? "ghost" : "thing";
  const plain = isSelected || isLit ? tellingName(row) : shortName(row);
  const isUnderWay = as === "travel" && time - row.departs > 0.02 * (row.from - row.departs);
  const text =
    as === "ghost" ? `${plain}: looked, not there` : isUnderWay ? `${plain} · moved meanwhile` : plain;
  const moved = as === "travel" ? 40 : as === "ghost" ? 35 : row.hasMoved ? 30 : 0;
  const rank =
    (isSelected ? 100 : isLit ? 90 : store.hovered.value === row.track ? 80 : 0) +
    moved +
    Math.min(bulk(row), 6) * 3;
  // While something is highlighted, other labels are hidden, except the one under the pointer.
  if (
    store.lit.value.size > 0 &&
    !isLit &&
    !isSelected &&
    store.hovered.value !== row.track &&
    as !== "travel"
  )
    return null;
  return { text, x, y, z: z + row.size[2] / 2, rank, style, track: row.track };
}

function shortName({ type, name, category }: Row): string {
  return type === "person" ? personName(name) : category;
}

/** Highlighted things are told apart by their number in the evidence and their full name. */
function tellingName(row: Row): string {
  const lit = [...store.lit.value];
  const number = lit.length > 1 ? lit.indexOf(row.track) + 1 : 0;
  const whole = row.name.replace(/ that says .*/, "");
  const name = row.type === "person" ? personName(whole) : whole.length <= MOST_NAME ? whole : row.category;
  return number > 0 ? `${number} · ${name}` : name;
}

/** Most letters of a name on the map; for a longer one its category is used. */
const MOST_NAME = 36;

/** "blue fabric Olga": people are labelled with their name. */
export function personName(name: string): string {
  return name.split(" ").find((word) => /^\p{Lu}/u.test(word)) ?? name;
}
