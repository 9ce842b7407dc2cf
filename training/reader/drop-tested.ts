/** Takes lines out of pairs whose question is asked in a test: `node training/reader/drop-tested.ts FILE…`. Says how many, never which. */
import { readFileSync, writeFileSync } from "node:fs";
import { plainQuestions, testWordings, unreadQuestions } from "./tested.ts";

const wordings = testWordings();
const unread = new Set(unreadQuestions());

for (const file of process.argv.slice(2)) {
  const lines = readFileSync(file, "utf8").split("\n");
  const kept = lines.filter((line) =>
    plainQuestions(line).every(
      (question) => !unread.has(question) && !wordings.some(({ form }) => form.test(question)),
    ),
  );
  writeFileSync(file, kept.join("\n"));
  console.log(`${file}: ${lines.length - kept.length} taken out`);
}
