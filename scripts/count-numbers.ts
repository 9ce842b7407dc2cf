/**
 * Numbers that somebody chose in the code of a folder, by how much is known of them: settings, which have a unit, a range and
 * a source; constants with a name; and those that stand in the middle of a line. Apart from these: limits on memory, time and
 * size (settings with the source "limit", constants named MAX_…), which decide nothing until they are reached; fitted weights
 * (weights.ts); and tables of data (`*.data.ts`).
 *
 * Not counted is what nobody would call a parameter: 0, 1, 2, ½ and units (powers of ten, 180); codes and places of an
 * enumeration; indices, strides and offsets within a buffer, masks and shifts of bits; exponents; and what only keeps a
 * division or a logarithm sound (1e-3 and below).
 * `node scripts/count-numbers.ts src/tracking…`, with EACH=1 line by line.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const PLAIN = new Set([0, 1, 2, 0.5, 10, 100, 1e3, 1e6, 180]);
const KINDS = ["settings", "named", "inline", "limits", "fitted", "data"] as const;
type Kind = (typeof KINDS)[number];

/** A row of a table: value, unit, least, most, source. */
const ROW = /^\s+\w+: \[.+, "[^"]+", .+, .+, "(\w+)"\],?$/;
const NAMED = /^(?:export )?const ([A-Z][A-Z0-9_]*)\b/;
const NUMBER = /(?<![\w.$#])(?:0[xb][\da-f_]+|(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:e[-+]?\d+)?)(?![\w.])/gi;
/** Places in a buffer and bits of a word. */
const ADDRESSES = [
  /(?<=[\w)\]!])\[[^[\]]*\]/g,
  /\b0[xb][\da-f_]+\b/gi,
  /(?:<<=?|>>>?=?|&|\*\*) ?\d+/g,
  /[*/] [34]\b(?!\.)/g,
  /(?:\+=|\+|-) ?[348]\b(?= ?[;,)\]<])/g,
  /\b\d+ \* \(?\w*(?:count|same)\b/g,
  /Math\.imul\([^)]*\)/g,
  /\b(?:[a-z]\w*(?:32|64|16|8)(?:LE)?|count|bytes|subarray|copy|toString|Writer)\([^()]*\)/g,
  /\b\w+Array\([^()]*\)/g,
];

for (const folder of process.argv.slice(2)) {
  const total = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>;
  for (const path of filesUnder(folder)) {
    for (const { kind, count, line, at } of numbersIn(readFileSync(path, "utf8"), path)) {
      total[kind] += count;
      if (process.env["EACH"] !== undefined) console.log(`${kind} ${count} ${path}:${at} ${line.trim()}`);
    }
  }
  const { settings, named, inline, limits, fitted, data } = total;
  console.log(
    `${folder}: ${settings + named + inline} numbers: ${settings} settings with unit, range and source, ${named} named, ${inline} inline; beside them ${limits} limits, ${fitted} fitted weights, ${data} of data`,
  );
}

function filesUnder(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => name !== "testing")
    .flatMap((name) => filesUnder(join(path, name)))
    .filter((name) => name.endsWith(".ts") && !name.includes(".test."));
}

function* numbersIn(source: string, path: string) {
  const isFit = path.endsWith("weights.ts");
  const isData = path.endsWith(".data.ts");
  const code = source
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ""))
    .replace(/\/\/.*$/gm, "")
    .replace(/\/(?![ */])(?:\\.|[^/\n\\])+\/[gimsuy]+/g, "");
  for (const [index, line] of code.split("\n").entries()) {
    const found = (kind: Kind, count: number) => ({ kind, count, line, at: index + 1 });
    const row = ROW.exec(line);
    if (row) {
      yield found(row[1] === "limit" ? "limits" : "settings", 1);
      continue;
    }
    const plain = line.replace(/(["'`])(?:\\.|(?!\1).)*\1/g, '""');
    const count = numbers(
      isFit || isData ? plain : ADDRESSES.reduce((text, one) => text.replace(one, "@"), plain),
    );
    if (isFit || isData) {
      if (count > 0) yield found(isFit ? "fitted" : "data", count);
      continue;
    }
    const name = NAMED.exec(line)?.[1];
    // A unit makes a number of anything, one or a half too.
    const isMeasured = /^const \w+_(?:M|M2|CM|US|RAD|PX|P|SHARE) = -?[\d_.]+;$/.test(
      line.replace("export ", ""),
    );
    if (isMeasured) yield found("named", 1);
    if (isMeasured || count === 0) continue;
    if (name === undefined) yield found("inline", count);
    else yield found(name.startsWith("MAX_") || name.startsWith("MOST_") ? "limits" : "named", count);
  }
}

/** Numbers of a line that are neither plain nor smaller than any reading. */
function numbers(text: string): number {
  return Array.from(text.matchAll(NUMBER)).filter(([one]) => {
    const value = Number(one.replaceAll("_", ""));
    return !PLAIN.has(value) && !(value > 0 && value <= 1e-3 && /e-/.test(one));
  }).length;
}
