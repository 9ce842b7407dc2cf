/**
 * What each number of tracking does: set to the least and to the most of its range, all others as they are, over kept
 * houses. `node bench/tracking/sweep.ts --cache DIR --seeds 131,401 [--stage merge] [--frames 800] [--score]`
 * One line a number: how many of the records differ at either end (of those that the tracker writes with the number as it
 * is); with --score what that does to the figures. Numbers that change nothing should go.
 */
import { parseArgs } from "node:util";
import type { TrackingScore } from "../../src/evaluation/tracking/score.ts";
import { TABLES } from "../../src/schema/settings.ts";
import { housesNamed, openHouse } from "./houses.ts";
import { type Replayed, replay, scoreOf } from "./replay.ts";

const { values } = parseArgs({
  options: {
    cache: { type: "string" },
    seeds: { type: "string", default: "131,401" },
    stage: { type: "string" },
    frames: { type: "string", default: "100000" },
    score: { type: "boolean", default: false },
  },
});
const { cache } = values;
if (cache === undefined) throw new Error("usage: node bench/tracking/sweep.ts --cache DIR --seeds LIST");
const opened = await Promise.all(housesNamed(values.seeds).map((options) => openHouse(cache, options)));
const houses = opened.map(({ house, truth }) => {
  const steps = house.steps.filter(({ kind }) => kind !== "finish").slice(0, Number(values.frames));
  return {
    truth,
    house: { ...house, steps: [...steps, house.steps.findLast(({ kind }) => kind === "finish")!] },
  };
});
const before = await run();
for (const [stage, { table, values: used }] of TABLES) {
  if (values.stage !== undefined && values.stage !== stage) continue;
  for (const [name, [value, unit, min, max, source]] of Object.entries(table)) {
    if (source === "limit") continue;
    const ends: string[] = [];
    for (const end of [min, max]) {
      used[name] = end;
      const after = await run();
      ends.push(
        `${end} → ${after.map((one, n) => differences(one, before[n]!)).join("/")}${await figures(after)}`,
      );
    }
    used[name] = value;
    console.log(`${stage}.${name} ${value} ${unit}: ${ends.join(", ")}`);
  }
}

async function run(): Promise<Replayed[]> {
  const all: Replayed[] = [];
  for (const { house } of houses) all.push(await replay(house));
  return all;
}

/** States and tracks that are written otherwise in the end, or not at all. */
function differences(a: Replayed, b: Replayed): number {
  if (a.digest === b.digest) return 0;
  const texts = ({ records }: Replayed) =>
    new Set(
      [...records.values()]
        .filter(({ kind }) => kind === "state" || kind === "track" || kind === "event")
        .map((one) => JSON.stringify(one)),
    );
  const [one, other] = [texts(a), texts(b)];
  return Math.max(1, [...one].filter((text) => !other.has(text)).length);
}

async function figures(after: readonly Replayed[]): Promise<string> {
  if (!values.score) return "";
  const scores: TrackingScore[] = [];
  for (const [n, { house, truth }] of houses.entries()) scores.push(await scoreOf(house, truth, after[n]!));
  const sum = (of: (score: TrackingScore) => number) => scores.reduce((total, score) => total + of(score), 0);
  const switches = sum(({ identity }) => identity.switches);
  const miscounted = sum(({ twins }) => twins.categories.total - twins.categories.hits);
  const wrong = sum(({ tracks }) => tracks.duplicates + tracks.invented + tracks.mixed);
  return ` (${switches} switches, ${miscounted} miscounted, ${wrong} wrong tracks)`;
}
