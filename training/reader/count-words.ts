/**
 * How often people say a word: counts the words of all pairs' questions, and those of `asking.txt` (words of grammar,
 * place, size, time and doing), into `src/reasoning/read/data/said.txt`, one `word count` a line. Slips of the pen are
 * left out: what is said seldom and is neither a word of English nor somebody's name.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isSurfaceWord } from "../../src/ontology/index.ts";

/** A word of no list that is said so often is one ("tv", "wifi", "upstairs's"). */
const OFTEN = 20;
/** A word of `asking.txt` counts at least so often. */
const ASKED = 3;
/** What was said less often may be a slip or chance. */
const SELDOM = 2;

const root = join(import.meta.dirname, "..", "..");
const data = join(root, "src", "reasoning", "read", "data");
const english = new Set(readFileSync(join(data, "english.txt"), "utf8").split("\n"));
const asking = new Set(
  readFileSync(join(import.meta.dirname, "asking.txt"), "utf8")
    .split("\n")
    .filter(Boolean),
);
const counts = new Map<string, number>();
const folder = join(import.meta.dirname, "pairs");
const called = new Set<string>();
for (const file of readdirSync(folder).sort())
  for (const line of readFileSync(join(folder, file), "utf8").split("\n")) {
    const [question = "", expression = ""] = line.toLowerCase().split("\t");
    for (const word of question.match(/\p{L}+/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [, name] of expression.matchAll(/things\(name: "(\p{L}+)"/gu)) called.add(name!);
  }
for (const word of asking) counts.set(word, Math.max(counts.get(word) ?? 0, ASKED));
const isWord = (word: string): boolean => english.has(word) || isSurfaceWord(word) || asking.has(word);
const kept = [...counts]
  .filter(
    ([word, count]) =>
      word.length > 1 && (count >= OFTEN || called.has(word) || (count >= SELDOM && isWord(word))),
  )
  .sort(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(join(data, "said.txt"), `${kept.map((one) => one.join(" ")).join("\n")}\n`);
console.log(`${kept.length} words`);
