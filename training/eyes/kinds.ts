/**
 * What things of each kind measure, how high they stand and in which rooms (src/perception/eyes/kinds.data.ts), counted in
 * simulated houses that nothing else uses; nothing is rendered:
 *
 *     node training/eyes/kinds.ts [--count 500]
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { typicalSizeM, usualRooms } from "../../src/ontology/index.ts";
import { generateHouse, ROOM_TYPES } from "../../src/world/house/index.ts";

const { values } = parseArgs({ options: { count: { type: "string", default: "500" } } });

interface Kind {
  readonly word: string;
  count: number;
  /** Logarithms of length, width and height, and metres above the floor. */
  readonly sums: { sum: number; square: number }[];
  readonly rooms: Map<string, number>;
}

/** Of the simulator's categories the word of the net; of words that the simulator has nothing for, themselves. */
function wordsOf(): Map<string, string> {
  const text = readFileSync(new URL("./categories.py", import.meta.url), "utf8");
  const words = new Map<string, string>();
  for (const [, word, group] of text.matchAll(/^ {4}"([^"]+)": \[(.*)\],$/gm)) {
    const names = [...group!.matchAll(/"([^"]+)"/g)].map(([, name]) => name!);
    for (const name of names.length > 0 ? names : [word!]) words.set(name, word!);
  }
  return words;
}

const words = wordsOf();
const kinds = new Map<string, Kind>();
const empty = (word: string): Kind => ({
  word,
  count: 0,
  sums: Array.from({ length: 4 }, () => ({ sum: 0, square: 0 })),
  rooms: new Map(),
});
for (let n = 0; n < Number(values.count); n++) {
  const house = generateHouse(`eyes-kinds-${n}`, { perturbation: (n % 3) * 0.2 });
  const rooms = new Map(house.rooms.map((room) => [room.id, room]));
  house.things.forEach(({ category, type }, i) => {
    const { centre, extent, room, hidden } = house.starts[i]!.placement;
    const at = rooms.get(room ?? "");
    if (type === "structure" || hidden || !at) return;
    const kind = kinds.get(category) ?? empty(words.get(category) ?? "other");
    kinds.set(category, kind);
    kind.count++;
    kind.rooms.set(at.type, (kind.rooms.get(at.type) ?? 0) + 1);
    const sizes = [Math.max(extent.x, extent.y), Math.min(extent.x, extent.y), extent.z].map(Math.log);
    [...sizes, centre.z - extent.z / 2 - at.floorZM].forEach((value, k) => {
      kind.sums[k]!.sum += value;
      kind.sums[k]!.square += value * value;
    });
  });
}
for (const [name, word] of words) if (!kinds.has(name)) kinds.set(name, unmet(name, word));

/** People walk about, so that houses begin without them: logarithms of how long, wide and high they are who stand or sit, and on the floor. */
const PERSON = [
  [-0.78, 0.3],
  [-1.27, 0.3],
  [0.47, 0.3],
  [0, 0.15],
] as const;

/** A kind that the simulator does not have: as our ontology knows it, with a wide margin. */
function unmet(name: string, word: string): Kind {
  const kind = empty(word);
  const longest = Math.log(typicalSizeM(name) ?? 0.3);
  const guessed = [longest, longest - 0.4, longest - 0.7, 0.7].map((mean) => [mean, 0.6] as const);
  (name === "person" ? PERSON : guessed).forEach(([mean, deviation], k) => {
    kind.sums[k]!.sum = mean;
    kind.sums[k]!.square = mean * mean + deviation * deviation;
  });
  kind.count = 1;
  for (const room of usualRooms(name)) kind.rooms.set(room, 1);
  return kind;
}

const lines = [...kinds]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, { word, count, sums, rooms }]) => {
    const figures = sums.flatMap(({ sum, square }) => {
      const mean = sum / count;
      return [mean, Math.sqrt(Math.max(0, square / count - mean * mean))].map((value) =>
        Math.round(100 * value),
      );
    });
    return [
      name,
      word,
      count,
      figures.join(" "),
      ROOM_TYPES.map((room) => rooms.get(room) ?? 0).join(" "),
    ].join("|");
  });
writeFileSync(
  new URL("../../src/perception/eyes/kinds.data.ts", import.meta.url),
  `/**
 * Kinds of things as simulated houses have them (training/eyes/kinds.ts --count ${values.count}): name, word of the eyes, how many; mean
 * and deviation of the logarithms of length, width and height and of the height above the floor, in hundredths; how many in each of
 * ${ROOM_TYPES.join(", ")}.
 */
export const KINDS = \`
${lines.join("\n")}
\`;
`,
);
console.log(`${lines.length} kinds of ${values.count} houses`);
