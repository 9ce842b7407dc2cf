import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { plainQuestions, testWordings, unreadQuestions } from "../training/reader/tested.ts";

const PAIRS = join(import.meta.dirname, "..", "training", "reader", "pairs");

const DATA = join(import.meta.dirname, "..", "src", "reasoning", "read", "data");
const SHIPPED = ["pairs.tsv", "follow-ups.tsv"].map((file) => join(DATA, file));

const trained = [...readdirSync(PAIRS).map((file) => join(PAIRS, file)), ...SHIPPED].flatMap((file) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .flatMap(plainQuestions),
);

describe("what the reader was trained on, and the pairs that it reads by", () => {
  it("is there", () => expect(trained.length).toBeGreaterThan(7000));

  it("has no wording of the test set", () => {
    const wordings = testWordings();
    expect(wordings.length).toBeGreaterThan(100);
    const found = wordings.filter(({ form }) => trained.some((question) => form.test(question)));
    expect(found.map(({ wording }) => wording)).toEqual([]);
  });

  it("has no question of the unread half", () => {
    const known = new Set(trained);
    const asked = unreadQuestions();
    expect(asked.length).toBeGreaterThan(200);
    // Not shown: nobody is to read them.
    expect(asked.filter((question) => known.has(question) && question.split(" ").length > 4).length).toBe(0);
  });
});
