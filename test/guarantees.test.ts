import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = new URL("..", import.meta.url).pathname;
const PAGE = readFileSync(join(ROOT, "docs/guarantees.md"), "utf8");
const TESTS = ["src", "test"].flatMap((room) => globSync(`${room}/**/*.test.ts`, { cwd: ROOT }));

/** A test that the page names: by its file and, where they follow it after a colon, by words of its titles. */
interface Named {
  readonly file: string;
  readonly titles: readonly string[];
}

/** The last cell of each row of its tables. */
function named(): Named[] {
  const cells = PAGE.split("\n")
    .filter((line) => line.startsWith("|") && !/^\|[\s|-]+$/.test(line))
    .map((line) => line.split("|").at(-2)!);
  return cells.flatMap((cell) =>
    [...cell.matchAll(/`([\w./-]+\.test\.ts)`(?:: ([^`(]+))?/g)].map(([, file, titles]) => ({
      file: file!,
      titles: titles === undefined ? [] : titles.replace(/[,;\s]+$/, "").split("; "),
    })),
  );
}

describe("docs/guarantees.md", () => {
  it("names tests that are there", () => {
    expect(named().length).toBeGreaterThan(40);
    const missing = named().filter(({ file }) => !TESTS.some((path) => `/${path}`.endsWith(`/${file}`)));
    expect(missing).toEqual([]);
  });

  it("calls them by words of their titles", () => {
    const missing = named().flatMap(({ file, titles }) => {
      const texts = TESTS.filter((path) => `/${path}`.endsWith(`/${file}`)).map((path) =>
        readFileSync(join(ROOT, path), "utf8"),
      );
      const isSaid = (title: string) =>
        title === "the contract suite" || texts.some((text) => text.includes(title));
      return titles.filter((title) => !isSaid(title)).map((title) => `${file}: ${title}`);
    });
    expect(missing).toEqual([]);
  });
});
