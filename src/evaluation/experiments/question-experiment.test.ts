import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Strategy } from "../runner/strategy.ts";
import type { SuiteScene } from "../runner/suite.ts";
import { knowing, questionsOf, sceneIn } from "../testing/toy-suite.ts";
import { above } from "./claims.ts";
import { Figures, WITHOUT_BLIND } from "./figures.ts";
import { Lab } from "./lab.ts";
import { orGuess } from "./or-guess.ts";
import { questionExperiment } from "./question-experiment.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-experiment-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A lab whose houses are small memories of captions. */
class ToyLab extends Lab {
  override async scenes(): Promise<SuiteScene[]> {
    return [sceneIn(folder, "house-1", questionsOf(8)), sceneIn(folder, "house-2", questionsOf(8))];
  }
}
const lab = () => new ToyLab({ seeds: [1, 2], folder, commit: "test", wording: "dev" });

let asked = 0;
const counting = (strategy: Strategy): Strategy => ({
  ...strategy,
  answer(question, context) {
    asked++;
    return strategy.answer(question, context);
  },
});

const toy = questionExperiment({
  name: "toy",
  shows: "who knows against who guesses",
  claims: [above("knows", "blind")],
  limits: "none",
  parts: [
    { suite: "toy", questions: [], configurations: [counting(knowing("knows"))] },
    {
      suite: "toy",
      questions: [],
      configurations: [counting(orGuess(knowing("half", 0, ({ id }) => id === "q0")))],
    },
  ],
  metrics: ["match"],
});

describe("an experiment that asks", () => {
  it("marks every question once for each configuration, blind beside them", async () => {
    const { marks, answers, stated } = await toy.measure(lab());
    const figures = new Figures(marks);
    const correct = marks.filter(({ metric }) => metric === "correct");
    expect(Object.groupBy(correct, ({ config }) => config)["blind"]).toHaveLength(16);
    expect(correct).toHaveLength(48);
    expect(figures.value("knows")).toBe(100);
    expect(figures.value("half")).toBeLessThan(100);
    expect(toy.claims[0]?.holds(figures)).toBe(true);
    expect(marks.some(({ slices }) => slices.includes(WITHOUT_BLIND))).toBe(true);
    expect(answers?.find(({ config, right }) => config === "half" && !right)?.question).toContain("?");
    expect(stated.join(" ")).toContain("judge rules-1");
  });

  it("does not ask again what it has asked", async () => {
    await toy.measure(lab());
    const before = asked;
    const again = await toy.measure(lab());
    expect(asked).toBe(before);
    expect(again.marks.length).toBeGreaterThan(0);
  });
});
