import { distance, type Vec3 } from "../geometry/index.ts";
import { typicalSizeM } from "../ontology/index.ts";
import { LIMITS } from "../schema/core.ts";
import { type Followed, type Step, stepsOf } from "./looks.ts";
import { LOOKS } from "./settings/looks.ts";
import type { KnownThing } from "./thing.ts";

interface Run {
  readonly steps: Step[];
  centre: Vec3;
}

/**
 * Where something that moves by itself stood, earliest first, each as the stay that its looks tell. A record of it goes on while it
 * is followed, so that the looks and not the records tell its places. Looks show now one end of it and now the other: within the
 * length of its kind it stands in one place.
 */
export async function standsOf(thing: KnownThing, memory: Followed): Promise<KnownThing[]> {
  const span = { fromUs: -LIMITS.timeUs, toUs: memory.nowUs + 1 };
  const reachM = Math.max(LOOKS.leastReachM, typicalSizeM(thing.category) ?? 0);
  const runs = runsOf(await stepsOf(thing, memory, span), reachM);
  const stays = await memory.stays(thing.trackId);
  const stands: KnownThing[] = [];
  for (const [n, { steps, centre }] of runs.entries()) {
    const [fromUs, lastUs] = [steps[0]!.timeUs, steps.at(-1)!.timeUs];
    const stay = stays.findLast(({ state }) => state.validFromUs <= lastUs) ?? thing;
    const validToUs = n === runs.length - 1 ? stay.state.validToUs : lastUs + 1;
    const room = await memory.roomAt(centre);
    stands.push({
      ...stay,
      state: { ...stay.state, validFromUs: fromUs, validToUs },
      position: centre,
      box: stay.box && stay.position && movedBy(stay.box, stay.position, centre),
      roomId: room?.id,
      heldBy: undefined,
      slot: undefined,
    });
  }
  return stands;
}

/** Looks at one place after the other. What passed in between, or was seen elsewhere for a moment, ends no stand. */
function runsOf(steps: readonly Step[], reachM: number): Run[] {
  const runs: Run[] = [];
  for (const step of steps) {
    const last = runs.at(-1);
    if (last && distance(last.centre, step.position) <= reachM) {
      last.steps.push(step);
      last.centre = medianOf(last.steps);
    } else runs.push({ steps: [step], centre: step.position });
  }
  const stands: Run[] = [];
  for (const run of runs.filter((one) => isStand(one, reachM))) {
    const last = stands.at(-1);
    if (last && distance(last.centre, run.centre) <= reachM) {
      last.steps.push(...run.steps);
      last.centre = medianOf(last.steps);
    } else stands.push(run);
  }
  return stands;
}

/** Whether these are looks at something that stood: seen more than in passing, and as far on at the end as at the beginning. */
function isStand({ steps }: Run, reachM: number): boolean {
  const overUs = steps.at(-1)!.timeUs - steps[0]!.timeUs;
  if (steps.length < LOOKS.leastLooks || overUs < LOOKS.leastUs) return false;
  const half = Math.ceil(steps.length / 2);
  return distance(meanOf(steps.slice(0, half)), meanOf(steps.slice(-half))) <= reachM / 2;
}

function medianOf(steps: readonly Step[]): Vec3 {
  const middle = (axis: "x" | "y" | "z") =>
    steps.map(({ position }) => position[axis]).sort((a, b) => a - b)[(steps.length - 1) >> 1]!;
  return { x: middle("x"), y: middle("y"), z: middle("z") };
}

function meanOf(steps: readonly Step[]): Vec3 {
  const mean = (axis: "x" | "y" | "z") =>
    steps.reduce((sum, { position }) => sum + position[axis], 0) / steps.length;
  return { x: mean("x"), y: mean("y"), z: mean("z") };
}

function movedBy(box: NonNullable<KnownThing["box"]>, from: Vec3, to: Vec3): KnownThing["box"] {
  const add = (p: Vec3) => ({ x: p.x + to.x - from.x, y: p.y + to.y - from.y, z: p.z + to.z - from.z });
  return { min: add(box.min), max: add(box.max) };
}
