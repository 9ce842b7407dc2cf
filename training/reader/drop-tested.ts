/** Takes lines out of pairs whose question is asked in a test: `node training/reader/drop-tested.ts FILE…`. Says how many, never which. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { WORDINGS } from "../../src/world/questions/wording/index.ts";

const SLOT = "(?:the |a |an |my )?[a-z0-9]+(?: [a-z0-9]+){0,2}";
const UNREAD = join(import.meta.dirname, "..", "..", "bench", "people", "unread");

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9{} ]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

const forms = Object.values(WORDINGS)
  .flatMap(({ test }) => test)
  .map((wording) => new RegExp(`^${plain(wording).replace(/\{\w+\}/g, SLOT)}$`));
const unread = new Set(
  readdirSync(UNREAD)
    .filter((file) => file.endsWith(".jsonl"))
    .flatMap((file) => readFileSync(join(UNREAD, file), "utf8").trim().split("\n"))
    .map((line) => plain((JSON.parse(line) as { question: string }).question)),
);

for (const file of process.argv.slice(2)) {
  const lines = readFileSync(file, "utf8").split("\n");
  const kept = lines.filter((line) => {
    const question = plain(line.split("\t")[0]!);
    return !unread.has(question) && !forms.some((form) => form.test(question));
  });
  writeFileSync(file, kept.join("\n"));
  console.log(`${file}: ${lines.length - kept.length} taken out`);
}
