/**
 * How often the pair nearest to a question means what is written, by how far off it is, and how often the network does:
 * `node training/reader/try-pairs.ts [--pairs FILE…] [--questions FILE]`. Default: all pairs of the fit but the questions' own file,
 * asked of `people-late`. What `FALLS` and `EXACT` in src/reasoning/read/pairs/index.ts come from.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { print, scan } from "../../src/reasoning/algebra/notation.ts";
import { Pairs } from "../../src/reasoning/read/pairs/index.ts";
import { sentencesOf } from "../../src/reasoning/read/tokens.ts";
import { proposed } from "../../src/reasoning/read/trained/index.ts";
import { sourceOf } from "../../src/reasoning/read/trained/source.ts";

const { values } = parseArgs({
  options: { pairs: { type: "string", multiple: true }, questions: { type: "string" } },
});
const folder = join(import.meta.dirname, "pairs");
const asked = values.questions ?? join(folder, "people-late.tsv");
const files = values.pairs ?? readdirSync(folder).map((file) => join(folder, file));
const nowUs = 1_780_000_000_000_000;

/** Lines of a file that stand by themselves. */
function linesOf(file: string): string[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.includes("\t") && !/^#|>>|\[options\]|\[shown\]/.test(line));
}

/** Times in words and as moments are the same here. */
function plain(expressions: readonly string[]): string {
  return expressions
    .join(" ;; ")
    .replace(/(?:moment|said)\([^()]*\)/g, "time")
    .toLowerCase();
}

const pairs = new Pairs();
for (const file of files.filter((one) => one !== asked)) pairs.add(linesOf(file).join("\n"));
const rows = linesOf(asked).map((line) => {
  const [question = "", notation = ""] = line.split("\t");
  const sentences = sentencesOf(question);
  const startMs = performance.now();
  const [nearest] = pairs.matching(sourceOf(sentences), { nowUs, rooms: new Set() });
  const ms = performance.now() - startMs;
  const meant = plain(notation.split(" ;; ").map((one) => print(scan(one))));
  const [first] = proposed(sentences, { nowUs, question });
  return {
    ms,
    cost: nearest?.cost ?? Infinity,
    byPair: nearest !== undefined && plain(nearest.parts.map(print)) === meant,
    byNetwork: first !== undefined && plain(first.parts.map(print)) === meant,
  };
});
const share = (some: readonly boolean[]) =>
  some.length === 0 ? "–" : (some.filter(Boolean).length / some.length).toFixed(2);
const sorted = rows.map(({ ms }) => ms).sort((a, b) => a - b);
console.log(
  `${pairs.size} pairs, ${rows.length} questions, ${sorted[sorted.length >> 1]?.toFixed(1)} ms each (median)`,
);
const bounds = [0, 0.1, 0.3, 0.6, 1.2, Infinity];
for (const [n, most] of bounds.entries()) {
  const those = rows.filter(({ cost }) => cost <= most && cost > (bounds[n - 1] ?? -1));
  console.log(
    `cost up to ${most}: ${those.length}, pair ${share(those.map((one) => one.byPair))}, network ${share(those.map((one) => one.byNetwork))}`,
  );
}
