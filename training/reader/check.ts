/** Checks pairs: `node training/reader/check.ts FILE…` prints what is wrong with which line. */
import { readFileSync } from "node:fs";
import { scan } from "../../src/reasoning/algebra/index.ts";
import { print } from "../../src/reasoning/algebra/notation.ts";
import { checkPair } from "../../src/reasoning/read/pairs/check-pair.ts";

let good = 0;
let bad = 0;
const forms = new Set<string>();
for (const file of process.argv.slice(2)) {
  for (const [i, line] of readFileSync(file, "utf8").split("\n").entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const [question, notation, ...more] = line.split("\t");
    try {
      if (question === undefined || notation === undefined || more.length > 0)
        throw new Error("one tab a line");
      for (const part of notation.split(" ;; ")) {
        const expression = scan(part);
        checkPair(expression);
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
