/**
 * Numbers in the code of a folder: those in tables of settings, which have a unit, a range and a source; those that are
 * named by a constant; and those that stand in the middle of a line. 0, 1, 2 and their like (−1, ½, powers of ten up to a
 * million, which change units) say nothing by themselves and are not counted. `node scripts/count-numbers.ts src/tracking…`
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const PLAIN = new Set([0, 1, 2, 0.5, 10, 100, 1e3, 1e6, 180]);

interface Counts {
  settings: number;
  named: number;
  inline: number;
}

for (const folder of process.argv.slice(2)) {
  const total: Counts = { settings: 0, named: 0, inline: 0 };
  const perFile: string[] = [];
  for (const path of filesUnder(folder)) {
    const counts = countIn(readFileSync(path, "utf8"));
    for (const key of ["settings", "named", "inline"] as const) total[key] += counts[key];
    if (counts.named + counts.inline > 0)
      perFile.push(`  ${path}: ${counts.named} named, ${counts.inline} inline`);
  }
  const { settings, named, inline } = total;
  console.log(
    `${folder}: ${settings + named + inline} numbers; ${settings} settings with unit, range and source, ${named} named, ${inline} inline`,
  );
  if (process.env["EACH"] !== undefined) console.log(perFile.join("\n"));
}

function filesUnder(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => name !== "testing")
    .flatMap((name) => filesUnder(join(path, name)))
    .filter((name) => name.endsWith(".ts") && !name.includes(".test."));
}

function countIn(source: string): Counts {
  const counts: Counts = { settings: 0, named: 0, inline: 0 };
  const code = source
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\/\/.*$/gm, "")
    .replace(/(["'])(?:\\.|(?!\1).)*\1/g, '""')
    .replace(/\/(?![ */])(?:\\.|[^/\n\\])+\/[gimsuy]+/g, "");
  for (const line of code.split("\n")) {
    // A row of a table: value, unit, least, most, source.
    if (/^\s+\w+: \[.+, "", .+, .+, ""\],?$/.test(line)) {
      counts.settings++;
      continue;
    }
    const found = Array.from(
      line.matchAll(/(?<![\w.$])(?:0[xb][\da-f_]+|(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:e[-+]?\d+)?)(?![\w.])/gi),
    );
    // A name makes a number of anything, a unit or a share of one too.
    if (/^(?:export )?const [A-Z][A-Z0-9_]* = -?[\d_.e]+;$/.test(line)) {
      counts.named++;
      continue;
    }
    const numbers = found.filter(([text]) => !PLAIN.has(Number(text.replaceAll("_", ""))));
    if (/^(?:export )?const [A-Z][A-Z0-9_]*\b/.test(line)) counts.named += numbers.length;
    else counts.inline += numbers.length;
  }
  return counts;
}
