/**
 * What a change of one thing costs the belief, and what the listings of a house cost: processor time of the whole process,
 * which does not depend on who else uses the machine, and the clock beside it.
 * npx node bench/belief.bench.ts [--rooms N] [--robots N] [--rounds N]
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { Belief } from "../src/belief/belief.ts";
import { scopeOf } from "../src/reasoning/index.ts";
import { listingOf } from "../src/reasoning/listings.ts";
import { openBuilding } from "./building.ts";

const { values } = parseArgs({
  options: {
    rooms: { type: "string", default: "8" },
    robots: { type: "string", default: "2" },
    rounds: { type: "string", default: "30" },
  },
});
const ROUNDS = Number(values.rounds);
const S = 1_000_000;
/** The things in a picture. */
const SHOWN = 20;
const building = await openBuilding(Number(values.rooms), { robots: Number(values.robots) });
const { reader, writer, embedder, nowUs, records } = building;
console.log(`${records} records, ${cpus()[0]?.model}, ${cpus().length} cores`);

interface Cost {
  readonly cpuMs: number;
  readonly wallMs: number;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const [cpu, began] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { cpuMs: (user + system) / 1e3, wallMs: performance.now() - began };
}

function tell(name: string, costs: readonly Cost[]): void {
  const at = (key: keyof Cost, part: number) =>
    costs
      .map((cost) => cost[key])
      .sort((a, b) => a - b)
      [Math.floor(costs.length * part)]!.toFixed(1);
  console.log(
    `${name.padEnd(44)} cpu p50 ${at("cpuMs", 0.5).padStart(6)} p95 ${at("cpuMs", 0.95).padStart(6)}   clock p50 ${at("wallMs", 0.5).padStart(6)} p95 ${at("wallMs", 0.95).padStart(6)} ms`,
  );
}

/** What every question needs of a belief: its rooms, which robots there are, and one thing with its room and whether it is there. */
async function believe(trackId: string): Promise<void> {
  const belief = new Belief({ reader, nowUs });
  await belief.rooms();
  await belief.agents();
  const thing = await belief.thingById(trackId);
  if (!thing) return;
  await belief.roomOf(thing);
  await belief.standing(thing);
}

const again: Cost[] = [];
const changed: Cost[] = [];
const looked: Cost[] = [];
const commits: Cost[] = [];
for (let round = 0; round <= ROUNDS; round++) {
  const stateId = `s${round % Number(values.rooms)}-${round % 50}`;
  const [state] = await reader.get([stateId]);
  if (state?.kind !== "state") throw new Error(`expected the state ${stateId}`);
  const { version: _, recordedAtUs: __, supersededAtUs: ___, ...own } = state;
  await believe(own.trackId);
  const known = await costOf(() => believe(own.trackId));
  const attributes = {
    ...own.attributes,
    openness: { value: round % 2 ? "open" : "closed", p: 0.9, support: 1, lastUs: nowUs - S },
  };
  const commit = await costOf(() => writer.write({ records: [{ ...own, attributes }] }));
  const fresh = await costOf(() => believe(own.trackId));
  await lookAgain(round);
  const seen = await costOf(() => believe(own.trackId));
  // The first round opens what later ones find open.
  if (round === 0) continue;
  again.push(known);
  commits.push(commit);
  changed.push(fresh);
  looked.push(seen);
}

/** One more picture of a room, with the things of it that it shows. */
async function lookAgain(round: number): Promise<void> {
  const room = round % Number(values.rooms);
  const [last] = await reader.get([`o${room}-0`]);
  if (last?.kind !== "observation") throw new Error(`expected an observation of room ${room}`);
  const { version: _, recordedAtUs: __, supersededAtUs: ___, ...own } = last;
  const [id, timeUs] = [`again-${round}`, nowUs - S + round];
  await writer.write({
    records: [{ ...own, id, validFromUs: timeUs, validToUs: timeUs + 1 }],
    sightings: Array.from({ length: SHOWN }, (_, n) => ({
      stateId: `s${room}-${n}`,
      timeUs,
      outcome: "seen" as const,
      agentId: own.author,
      observationId: id,
    })),
  });
}

tell("the commit itself", commits);
tell("belief, nothing new", again);
tell("belief after a change of one thing", changed);
tell("belief after one more picture", looked);
for (const what of ["things", "rooms", "people", "changes"] as const) {
  const costs: Cost[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const cost = await costOf(async () =>
      listingOf({ what }, await scopeOf({ reader, embedder, nowUs, navigate: false })),
    );
    if (round > 0) costs.push(cost);
  }
  tell(`listing of ${what}`, costs);
}
await building.close();
