import { isKindOf, lookup } from "../../ontology/index.ts";
import { settings } from "../../schema/settings.ts";
import { KINDS } from "./kinds.data.ts";

/** Value, unit, minimum, maximum, source. */
const KNOWN_KINDS = settings("eyes.known-kinds", {
  /** Real things vary more than simulated ones, and are seen in part: added deviation of logarithms, and in metres. */
  sizeSd: [0.3, "log m", 0.15, 0.6, "recording"],
  aboveSd: [0.15, "m", 0.075, 0.3, "experiment"],
  standardSd: [0.18, "log m", 0.09, 0.36, "experiment"],
  /** How many more things a word covers than the known categories, and how much more they vary, in hundredths. */
  others: [0.4, "share", 0.2, 0.8, "experiment"],
  leastOthers: [100, "count", 50, 200, "experiment"],
  moreSpread: [30, "0.01", 15, 60, "experiment"],
  /** Share of a category's things that are distributed over rooms like all things, so that no room is impossible. */
  anywhere: [0.1, "share", 0.05, 0.2, "experiment"],
  /**
   * Smallest usable size: poses have errors of this order, and a mirror of 3 cm seen in two frames appears this thick.
   */
  finestM: [0.08, "m", 0.04, 0.16, "experiment"],
});

/** Appliances made to fit between cupboards vary less: a wider one is a wardrobe. */
const STANDARD: readonly string[] = ["fridge", "oven", "washing machine"];
/**
 * Words without information about the room: what simulators have in offices only but people have anywhere, and people
 * themselves.
 */
const IN_ANY_ROOM: readonly string[] = ["monitor", "person"];

/** Fitted furniture continues along walls and around corners: it may be as long and as wide as the room. */
export const FITTED: readonly string[] = ["kitchen counter", "counter", "wall cupboard"];

interface Kind {
  readonly name: string;
  readonly word: string;
  readonly usual: readonly { readonly mean: number; readonly variance: number }[];
  readonly common: number;
  /** Likelihood ratio of each room type. */
  readonly rooms: Float64Array;
  /** Broader names to use when its own is uncertain: a desk lamp is a lamp. */
  readonly broader: readonly string[];
}

let known: readonly Kind[] | undefined;
let logRooms: Float64Array | undefined;

/** The categories with a name. */
export function kinds(): readonly Kind[] {
  known ??= readKinds();
  return known;
}

function readKinds(): Kind[] {
  const rows: Row[] = KINDS.trim()
    .split("\n")
    .map((line) => {
      const [name = "", word = "", count = "", figures = "", rooms = ""] = line.split("|");
      const numbers = (text: string) => text.split(" ").map(Number);
      return { name, word, count: Number(count), figures: numbers(figures), rooms: numbers(rooms) };
    });
  const inAll = rows.reduce((sum, { count }) => sum + count, 0);
  const inRooms = rows[0]!.rooms.map((_, k) => rows.reduce((sum, { rooms }) => sum + rooms[k]!, 0));
  logRooms = Float64Array.from(inRooms, (n) => Math.log(n / inAll));
  const names = [...new Set(rows.flatMap(({ name, word }) => [name, word]))].filter(
    (name) => lookup(name)?.isKind === false,
  );
  return [...unmetKinds(rows, inRooms, inAll), ...rows].map(({ name, word, count, figures, rooms }) => ({
    name,
    word,
    usual: [0, 1, 2, 3].map((k) => ({
      mean: figures[2 * k]! / 100,
      variance:
        STANDARD.includes(word) && k < 2
          ? KNOWN_KINDS.standardSd ** 2
          : (figures[2 * k + 1]! / 100) ** 2 + (k < 3 ? KNOWN_KINDS.sizeSd : KNOWN_KINDS.aboveSd) ** 2,
    })),
    common: Math.log(count / inAll),
    rooms: Float64Array.from(rooms, (n, k) =>
      IN_ANY_ROOM.includes(word)
        ? 1
        : KNOWN_KINDS.anywhere + ((1 - KNOWN_KINDS.anywhere) * n * inAll) / (count * inRooms[k]!),
    ),
    broader: names.filter((other) => other !== name && isKindOf(name, other)),
  }));
}

interface Row {
  readonly name: string;
  readonly word: string;
  readonly count: number;
  readonly figures: readonly number[];
  readonly rooms: readonly number[];
}

/** For each word, the things in none of the known categories: there are more tables than a simulator has. */
function unmetKinds(rows: readonly Row[], inRooms: readonly number[], inAll: number): Row[] {
  const groups = Map.groupBy(
    rows.filter(({ word }) => word !== "other"),
    ({ word }) => word,
  );
  return [...groups].map(([word, own]) => {
    const all = own.reduce((sum, { count }) => sum + count, 0);
    const mean = (of: (row: Row) => number) => own.reduce((sum, row) => sum + (row.count / all) * of(row), 0);
    const figures = [0, 1, 2, 3].flatMap((k) => {
      const middle = mean((row) => row.figures[2 * k]!);
      const spread = mean((row) => row.figures[2 * k + 1]! ** 2 + (row.figures[2 * k]! - middle) ** 2);
      return [middle, Math.sqrt(spread + KNOWN_KINDS.moreSpread ** 2)];
    });
    // Things that are rare in simulators may be common in reality: papers, and people.
    const count = Math.max(KNOWN_KINDS.others * all, KNOWN_KINDS.leastOthers);
    // In any room, like all things, and slightly more often in those of related categories.
    const rooms = inRooms.map(
      (n, k) => (count * (n / inAll + own.reduce((sum, row) => sum + row.rooms[k]!, 0) / all)) / 2,
    );
    return { name: word, word, count, figures, rooms };
  });
}

/** Whether a place of this size has room for only one thing of a name, by the smallest of its categories. */
export function isRoomForOne(
  name: string,
  { longM, wideM, highM }: Readonly<Record<"longM" | "wideM" | "highM", number>>,
): boolean {
  const own = kinds().filter((kind) => kind.name === name || kind.broader.includes(name));
  const sizes = [longM, wideM, highM];
  const mostM = ({ usual }: Kind, k: number) =>
    Math.max(KNOWN_KINDS.finestM, Math.exp(usual[k]!.mean + Math.sqrt(usual[k]!.variance)));
  return own.length > 0 && own.every((kind) => sizes.every((sizeM, k) => sizeM <= mostM(kind, k)));
}

/** The height of the lowest category with a name; 0 for unknown names. */
export function usualHighM(name: string): number {
  return leastUsual(name, 2);
}

/** The same for the shortest length. */
export function usualLongM(name: string): number {
  return leastUsual(name, 0);
}

/** The same for the narrowest width. */
export function usualWideM(name: string): number {
  return leastUsual(name, 1);
}

function leastUsual(name: string, measure: number): number {
  const own = kinds().filter((kind) => kind.name === name || kind.broader.includes(name));
  return own.length === 0 ? 0 : Math.exp(Math.min(...own.map(({ usual }) => usual[measure]!.mean)));
}

/** The logarithm of the share of all things in each room type. */
export function usualRooms(): Float64Array {
  kinds();
  return logRooms!;
}
