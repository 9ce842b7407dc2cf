/** Checks pairs: `node training/reader/check.ts FILE…` prints what is wrong with which line. */
import { readFileSync } from "node:fs";
import { kindOf, scan } from "../../src/reasoning/algebra/index.ts";
import { print } from "../../src/reasoning/algebra/notation.ts";
import type { Expression } from "../../src/schema/index.ts";

/** Times in words stand for any times, "these" for things or rooms, and words that mean nothing for themselves. */
function plain(expression: Expression, these: string): Expression {
  if (expression.op === "said") return { op: "moment", of: [], with: { phase: "all" } };
  if (expression.op === "these") return { op: these, of: [], with: {} };
  if (expression.op === "recall") return { op: "recall", of: [], with: { text: "?" } };
  return { ...expression, of: expression.of.map((one) => plain(one, these)) };
}

function check(expression: Expression): void {
  try {
    kindOf(plain(expression, "things"));
  } catch (error) {
    if (!print(expression).includes("these()")) throw error;
    kindOf(plain(expression, "rooms"));
  }
}

let good = 0;
let bad = 0;
const forms = new Set<string>();
for (const file of process.argv.slice(2)) {
  for (const [i, line] of readFileSync(file, "utf8").split("\n").entries()) {
    if (line.trim() === "") continue;
    const [question, notation, ...more] = line.split("\t");
    try {
      if (question === undefined || notation === undefined || more.length > 0)
        throw new Error("one tab a line");
      for (const part of notation.split(" ;; ")) {
        const expression = scan(part);
        check(expression);
        forms.add(print(expression).replace(/"[^"]*"/g, "…"));
      }
      good++;
    } catch (error) {
      bad++;
      console.log(`${file}:${i + 1}: ${(error as Error).message} | ${line}`);
    }
  }
}
console.log(`${good} good, ${bad} bad, ${forms.size} different forms`);
