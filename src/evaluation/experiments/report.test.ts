import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compareRuns, comparisonText } from "./compare.ts";
import { Figures } from "./figures.ts";
import type { Mark } from "./mark.ts";
import { experimentHtml } from "./report/html.ts";
import { experimentMarkdown } from "./report/markdown.ts";
import { experimentText } from "./report/text.ts";
import { type ExperimentRun, keepRun, listExperiments } from "./run-experiment.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-report-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function run(values: Readonly<Record<string, number>>, experiment = "toy"): ExperimentRun {
  const marks: Mark[] = Object.entries(values).flatMap(([config, value]) =>
    ["1", "2", "3", "4", "5", "6"].map((item, n) => ({
      config,
      suite: "s",
      metric: "correct",
      scene: `house-${item}`,
      item,
      value: value + n,
      slices: ["state"],
      type: "state",
    })),
  );
  const figures = new Figures(marks);
  return {
    figures,
    shows: "a <toy>",
    stated: [],
    report: {
      experiment,
      seeds: [1],
      n: 6,
      rows: figures.rows(),
      claims: [{ id: "a", text: "good & true", holds: true }],
      limits: "None. Really.",
    },
    answers: [
      {
        config: "whole",
        suite: "s",
        scene: "house-1",
        item: "1",
        type: "state",
        question: "Is <b> open?",
        expected: "yes",
        said: "no",
        right: false,
        why: "says no",
        evidence: ["state s1: a door"],
        trace: [],
        refs: ["s1"],
      },
    ],
  };
}

describe("a run as a file", () => {
  it("is one page without references to others, and says nothing as markup", () => {
    const html = experimentHtml(run({ blind: 10, whole: 80 }));
    expect(html).not.toMatch(/(?:src|href)="(?!data:)/);
    expect(html).toContain("Is &#60;b&#62; open?");
    expect(html).toContain("a &#60;toy&#62;");
    expect(html).toContain("82.5 [");
  });

  it("has the same figures in Markdown and in a terminal", () => {
    const made = run({ blind: 10, whole: 80 });
    expect(experimentMarkdown(made)).toContain("| good & true | holds |");
    for (const text of [experimentMarkdown(made), experimentText(made)]) expect(text).toContain("82.5 [");
  });
});

describe("two runs side by side", () => {
  it("are paired by item, what is sure first", async () => {
    const [a, b] = [join(folder, "a.json"), join(folder, "b.json")];
    await keepRun(a, run({ blind: 10, whole: 70 }));
    await keepRun(b, run({ blind: 10, whole: 80 }));
    const compared = await compareRuns(a, b);
    expect(compared.unpaired).toBe(0);
    expect(compared.rows.find(({ config, slice }) => config === "whole" && slice === "all")).toMatchObject({
      value: 10,
      n: 6,
    });
    expect(comparisonText(compared)).toMatch(/\+10\.00 .*whole[\s\S]*no more than chance:[\s\S]*blind/);
  });

  it("must be of one experiment, and runs", async () => {
    const [a, b, none] = ["a2.json", "b2.json", "none.json"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await keepRun(a, run({ whole: 1 }));
    await keepRun(b, run({ whole: 1 }, "another"));
    await writeFile(none, "{");
    await expect(compareRuns(a, b)).rejects.toMatchObject({ code: "invalid-input" });
    await expect(compareRuns(a, none)).rejects.toMatchObject({ code: "invalid-input" });
  });
});

describe("the catalogue", () => {
  it("names every experiment once, with claims and limits", () => {
    const names = listExperiments().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(listExperiments().filter(({ claims }) => claims === 0)).toEqual([]);
  });
});
