import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { WORDINGS } from "../src/world/questions/wording/index.ts";

const PAIRS = join(import.meta.dirname, "..", "training", "reader", "pairs");
const PEOPLE = join(import.meta.dirname, "..", "bench", "people", "unread");

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9{} ]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

const trained = readdirSync(PAIRS).flatMap((file) =>
  readFileSync(join(PAIRS, file), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => plain(line.split("\t")[0]!)),
);

describe("what the reader was trained on", () => {
  it("is there", () => expect(trained.length).toBeGreaterThan(7000));

  it("has no wording of the test set", () => {
    const slot = "(?:the |a |an |my )?[a-z0-9]+(?: [a-z0-9]+){0,2}";
    const wordings = Object.values(WORDINGS).flatMap(({ test }) => test);
    const found = wordings.filter((wording) => {
      const form = new RegExp(`^${plain(wording).replace(/\{\w+\}/g, slot)}$`);
      return trained.some((question) => form.test(question));
    });
    expect(found).toEqual([]);
  });

  it("has no question of the unread half", () => {
    const known = new Set(trained);
    const asked = readdirSync(PEOPLE)
      .filter((file) => file.endsWith(".jsonl"))
      .flatMap((file) => readFileSync(join(PEOPLE, file), "utf8").trim().split("\n"))
      .map((line) => plain((JSON.parse(line) as { question: string }).question));
    expect(asked.length).toBeGreaterThan(200);
    // Not shown: nobody is to read them.
    expect(asked.filter((question) => known.has(question) && question.split(" ").length > 4).length).toBe(0);
  });
});
