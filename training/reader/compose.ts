/**
 * Forms → pairs: `node training/reader/compose.ts FORMS… --out PAIRS.tsv`. A form is a line `question<TAB>expression`.
 * `(a|b)` in a question is one of several wordings; `{a|b}` chooses in the question and, by the same number, in the
 * expression (the n-th there follows the n-th here, `{2:a|b}` the second); `<thing>`, `<room2>` are slots (`SLOTS`) that
 * are filled alike in both. `*9` before a question asks for so many pairs of it. The same forms give the same pairs.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Random } from "../../src/geometry/random.ts";
import { SLOTS } from "./slots.ts";

/** So many pairs of a form, where it does not say how many. */
const PAIRS_A_FORM = 6;
/** Tries for one more pair that is not there yet. */
const TRIES = 40;

const WORDING = /\(([^()]*)\)/;
const CHOICE = /\{(?:(\d+):)?([^{}]*)\}/g;
const SLOT = /<([a-z]+)(\d*)>/g;

/** One pair of a form. */
function pairOf(question: string, expression: string, random: Random): string {
  const chosen: number[] = [];
  let asked = question.replace(CHOICE, (_, _at, options: string) => {
    const all = options.split("|");
    chosen.push(random.int(0, all.length));
    return all[chosen.at(-1)!]!;
  });
  for (let found = WORDING.exec(asked); found; found = WORDING.exec(asked))
    asked = asked.replace(WORDING, random.pick(found[1]!.split("|")));
  let n = 0;
  let meant = expression.replace(CHOICE, (_, at: string | undefined, options: string) => {
    const choice = chosen[at === undefined ? n++ : Number(at) - 1];
    const option = options.split("|")[choice ?? -1];
    if (option === undefined) throw new Error(`no choice for {${options}} | ${question}`);
    return option;
  });
  const filled = new Map<string, readonly [string, string]>();
  for (const [slot, kind] of asked.matchAll(SLOT)) {
    if (filled.has(slot)) continue;
    const fillers = SLOTS[kind!];
    if (!fillers) throw new Error(`no slot ${slot} | ${question}`);
    const taken = new Set([...filled.values()].map(([said]) => said));
    let filler = fillers(random);
    for (let tries = 0; taken.has(filler[0]) && tries < TRIES; tries++) filler = fillers(random);
    filled.set(slot, filler);
  }
  for (const [slot, [said, means]] of filled) {
    asked = asked.replaceAll(slot, said);
    meant = meant.replaceAll(slot, means);
  }
  if (/[<>{}]/.test(meant)) throw new Error(`not filled: ${meant} | ${question}`);
  return `${sentence(asked, random)}\t${meant}`;
}

/** How many questions lack the capital, and the mark at their end. */
const WITHOUT = { capital: 0.15, mark: 0.25 };

/** A question as it is written down. */
function sentence(text: string, random: Random): string {
  const trimmed = text
    .replace(/ {2,}/g, " ")
    .replace(/ (?=[,;.?!])/g, "")
    .trim();
  const capital =
    random.next() < WITHOUT.capital ? trimmed : trimmed.replace(/^[a-z]/, (first) => first.toUpperCase());
  return /[.?!]$/.test(capital) || random.next() < WITHOUT.mark ? capital : `${capital}?`;
}

/** The pairs of a file of forms. */
export function composed(text: string, seed = 1): string[] {
  const whole = new Random(seed);
  const pairs = new Map<string, string>();
  for (const line of text.split("\n")) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const [form, expression, ...more] = line.split("\t");
    if (!form || !expression || more.length > 0) throw new Error(`one tab a line | ${line}`);
    const [, times, question = form] = /^\*(\d+) (.*)$/.exec(form) ?? [];
    // A stream of its own: other forms leave its pairs as they are.
    const random = whole.fork(line);
    const wanted = pairs.size + (times === undefined ? PAIRS_A_FORM : Number(times));
    for (let tries = 0; pairs.size < wanted && tries < TRIES; tries++) {
      const pair = pairOf(question, expression, random);
      pairs.set(pair.split("\t")[0]!, pair);
    }
  }
  return [...pairs.values()];
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { out: { type: "string" } } });
  const pairs = positionals.flatMap((file) => composed(readFileSync(file, "utf8")));
  writeFileSync(values.out ?? "/dev/stdout", `${pairs.join("\n")}\n`);
  console.error(`${pairs.length} pairs`);
}
