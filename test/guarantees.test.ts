import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = new URL("..", import.meta.url).pathname;
const PAGES = ["docs/guarantees.md", "docs/threat-model.md"];
const TESTS = ["src", "test"].flatMap((room) => globSync(`${room}/**/*.test.ts`, { cwd: ROOT }));

/** A test that a page names: by its file and, where they follow it after a colon, by words of its titles. */
interface Named {
  readonly file: string;
  readonly titles: readonly string[];
}

/** The last cell of each row of the page's tables: where the test of its promise is named. */
function testCells(page: string): string[] {
  const lines = readFileSync(join(ROOT, page), "utf8").split("\n");
  const isRule = (line: string | undefined) => /^\|[\s|-]+$/.test(line ?? "");
  return lines
    .filter((line, i) => line.startsWith("|") && !isRule(line) && !isRule(lines[i + 1]))
    .map((line) => line.split("|").at(-2)!);
}

function named(page: string): Named[] {
  return testCells(page).flatMap((cell) =>
    [...cell.matchAll(/`([\w./-]+\.test\.ts)`(?:: ([^`(]+))?/g)].map(([, file, titles]) => ({
      file: file!,
      titles: titles === undefined ? [] : titles.replace(/[,;\s]+$/, "").split("; "),
    })),
  );
}

describe.each(PAGES)("%s", (page) => {
  it("names a test for each promise, or says that it is measured", () => {
    expect(testCells(page).length).toBeGreaterThan(20);
    const without = testCells(page).filter(
      (cell) => !/\.test\.ts`|the contract suite|a measurement/.test(cell),
    );
    expect(without).toEqual([]);
  });

  it("names tests that are there", () => {
    const missing = named(page).filter(({ file }) => !TESTS.some((path) => `/${path}`.endsWith(`/${file}`)));
    expect(missing).toEqual([]);
  });

  it("calls them by words of their titles", () => {
    const missing = named(page).flatMap(({ file, titles }) => {
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
