import {
  type Estimate,
  evaluateActive,
  evaluateCaptionRecall,
  evaluateConsistency,
  evaluateEncoders,
  evaluateEyes,
  evaluateForest,
  evaluateHabits,
  evaluateParser,
  evaluateSuite,
  evaluateTracking,
} from "../../../evaluation/index.ts";
import { LociError } from "../../../schema/core.ts";
import { POLICIES, type PolicyName } from "../../../schema/exploration-run.ts";
import { type ModelOptions, usageLines, withModels } from "../models.ts";
import { countOf, type Terminal } from "../terminal.ts";
import type { ExperimentOptions } from "./eval-experiment.ts";
import type { PeopleOptions } from "./eval-people.ts";

export interface EvalOptions extends ModelOptions, PeopleOptions, ExperimentOptions {
  readonly json?: boolean;
  readonly seeds?: string;
  readonly days?: number;
  readonly minutes?: number;
  readonly fps?: number;
  readonly noise?: number;
  readonly rate?: number;
  readonly rooms?: number;
  readonly family?: string;
  readonly people?: number;
  readonly count?: number;
  readonly all?: boolean;
  readonly agents?: number;
  readonly system?: string[];
  readonly strategy?: string[];
  readonly mode?: "ours" | "paper";
  readonly experiments?: number;
  readonly policy?: string[];
  readonly ablations?: boolean;
  readonly unanswerable?: boolean;
  readonly navqa?: string;
  readonly embedder?: string[];
}

/** Which evaluation it is decides which options count. */
export async function run(
  options: EvalOptions,
  terminal: Terminal,
  suite: string,
  ...more: string[]
): Promise<void> {
  if (suite === "encoder") return runEncoder(options, terminal);
  if (suite === "make-questions")
    return (await import("./eval-questions.ts")).run(options, terminal, more[0]);
  // `forest` with data is the evaluation of a forest made by others.
  if (options.data === undefined) {
    const experiments = await import("./eval-experiment.ts");
    if (suite === "experiments") return experiments.list(terminal);
    if (suite === "compare") return experiments.compare(terminal, more);
    if (await experiments.isExperiment(suite))
      return experiments.run(options, terminal, suite, seedsOf(options.seeds));
  }
  if (suite === "people") return (await import("./eval-people.ts")).run(options, terminal);
  if (suite === "parser") {
    if (options.data === undefined)
      throw new LociError("invalid-input", "eval parser needs --data FILE, OpenEQA's open-eqa-v0.json");
    const { score, text } = await evaluateParser(options.data);
    terminal.result(score, () => text);
    return;
  }
  if (suite === "retrieval" || suite === "forest") {
    if (options.data === undefined)
      throw new LociError(
        "invalid-input",
        `eval ${suite} needs --data DIR, ${suite === "retrieval" ? "NaVQA's drives" : "a folder with graph.gml and reference-forest.gml"}`,
      );
    if (suite === "retrieval") {
      const { rows, text } = await evaluateCaptionRecall(options.data, options.strategy ?? options.system);
      terminal.result({ rows }, () => text);
    } else {
      const { report, text } = await evaluateForest(options.data);
      terminal.result(report, () => text);
    }
    return;
  }
  const common = { signal: terminal.signal, onProgress: (line: string) => terminal.progress(line) };
  const seeds = seedsOf(options.seeds);
  const { minutes, fps, noise, rate, out } = options;
  const given = Object.fromEntries(
    Object.entries({ minutes, fps, noise, rate, out }).filter(([, value]) => value !== undefined),
  );
  if (suite === "consistency") {
    const { family, agents, people } = options;
    const { served } = await import("../../served.ts");
    const { reports, text } = await evaluateConsistency({
      serve: served,
      ...common,
      ...given,
      seeds,
      memory: more[0],
      family: family as "house" | undefined,
      agents,
      people,
    });
    terminal.result({ reports }, () => text);
    return;
  }
  if (suite === "active") {
    const policies = options.policy?.map(policyNamed);
    const { report, text, usage } = await withModels(options, "eval", terminal, async (models) => {
      await models.check(terminal.signal);
      const done = await evaluateActive({
        ...common,
        ...given,
        seeds,
        policies,
        count: options.count,
        agents: options.agents,
        wording: options.wording,
        ablations: options.ablations,
        unanswerable: options.unanswerable,
        systems: options.system,
        models,
      });
      return { ...done, usage: usageLines(models) };
    });
    terminal.result(report, () => [text, ...usage].join("\n"));
    return;
  }
  if (suite === "habits") {
    if (options.data === undefined)
      terminal.note(
        `simulating ${countOf(seeds.length, "household")} for seven days each, which takes minutes; --data DIR takes HOMER+ instead, --seeds fewer`,
      );
    const { report, text } = await evaluateHabits({
      ...common,
      seeds,
      data: options.data,
      keep: options.keep,
    });
    terminal.result(report, () => text);
    return;
  }
  if (suite === "eyes") {
    const { out: _out, rate: _rate, ...tour } = given;
    const rooms = options.rooms === undefined ? {} : { rooms: options.rooms };
    const { count, wording } = options;
    const asked = { seeds, count, wording, environment: process.env };
    const { report, text } = await evaluateEyes({ ...common, ...tour, ...rooms, ...asked });
    terminal.result(report, () => text);
    return;
  }
  if (suite === "tracking") {
    const { report, text } = await evaluateTracking({
      ...common,
      ...given,
      ...(options.rooms !== undefined && { rooms: options.rooms }),
      family: options.family as "house",
      ...(options.agents !== undefined && { agents: options.agents }),
      seeds,
      experiments: options.experiments ?? 0,
    });
    terminal.result(report, () => text);
    return;
  }
  const systems = options.system ?? options.strategy;
  // A model that no system uses is not opened: its key may be missing.
  const work = systems?.some((name) => name !== "rules") ? "eval" : "judge";
  const { report, text, usage } = await withModels(options, work, terminal, async (models) => {
    await models.check(terminal.signal);
    const done = await evaluateSuite({
      ...common,
      ...given,
      suite,
      seeds,
      data: options.data,
      all: options.all,
      count: options.count,
      days: options.days,
      agents: options.agents,
      wording: options.wording,
      systems,
      mode: options.mode,
      keep: options.keep,
      models,
    });
    return { ...done, usage: usageLines(models) };
  });
  terminal.result(report, () => [text, ...usage].join("\n"));
}

const MAX_SEEDS = 1_000;

/** "20" is seeds 1 to 20; "3,7" and "101-105" are those. */
function seedsOf(text = "5"): number[] {
  if (/^\d+(,\d+)+$/.test(text)) return text.split(",").map(Number).slice(0, MAX_SEEDS);
  const range = /^(?:(\d+)-)?(\d+)$/.exec(text);
  const first = Number(range?.[1] ?? 1);
  const count = range ? Number(range[2]) - first + 1 : 0;
  if (count < 1) throw new LociError("invalid-input", `--seeds expects 20, 3,7 or 101-105, got "${text}"`);
  return Array.from({ length: Math.min(MAX_SEEDS, count) }, (_, n) => first + n);
}

async function runEncoder({ data, navqa, embedder }: EvalOptions, terminal: Terminal): Promise<void> {
  if (data === undefined) {
    throw new LociError(
      "invalid-input",
      "eval encoder needs --data DIR with stsb_dev.tsv, stsb_test.tsv, sick_test.tsv and household.json",
    );
  }
  const report = await evaluateEncoders({
    data,
    signal: terminal.signal,
    environment: process.env,
    onProgress: (line) => terminal.progress(line),
    ...(navqa === undefined ? {} : { navqa }),
    ...(embedder === undefined ? {} : { embedders: embedder }),
  });
  terminal.result(report, () => {
    const columns = [
      "stsbDev",
      "stsbTest",
      "sick",
      "synonyms",
      "questionToFact",
      "navqaRecall1",
      "navqaRecall6",
      "navqaFusedRecall6",
    ] as const;
    const heads = [
      "encoder",
      "STS-B dev",
      "STS-B test",
      "SICK",
      "synonyms",
      "question→fact",
      "NaVQA R@1",
      "R@6",
      "fused R@6",
      "µs/text",
    ];
    const lines = report.rows.map((row) => [
      row.encoder,
      ...columns.map((column) => cell(row[column])),
      row.microsecondsPerText === undefined ? "–" : row.microsecondsPerText.toFixed(1),
    ]);
    const widths = heads.map((head, i) => Math.max(head.length, ...lines.map((line) => line[i]!.length)));
    const print = (line: readonly string[]) =>
      line
        .map((text, i) => text.padEnd(widths[i]!))
        .join("  ")
        .trimEnd();
    return [
      print(heads),
      ...lines.map(print),
      ...report.skipped.map(({ encoder, reason }) => `${encoder}: not run, ${reason}`),
    ].join("\n");
  });
}

function cell(estimate: Estimate | undefined): string {
  if (estimate === undefined) return "–";
  const digits = estimate.value > 1 ? 0 : 3;
  return `${estimate.value.toFixed(digits)} [${estimate.low.toFixed(digits)}, ${estimate.high.toFixed(digits)}]`;
}

function policyNamed(name: string): PolicyName {
  const found = POLICIES.find((one) => one === name);
  if (found === undefined)
    throw new LociError(
      "invalid-input",
      `--policy expects some of ${POLICIES.join(", ")}, got "${name.slice(0, 64)}"`,
    );
  return found;
}
