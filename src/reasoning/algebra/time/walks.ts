import type { Belief } from "../../../belief/belief.ts";
import { ownSteps, type Step, stepsOf } from "../../../belief/looks.ts";
import type { KnownThing } from "../../../belief/thing.ts";
import type { Scope } from "../operator.ts";
import { momentOf, spanOf } from "./spans.ts";

/** A shorter distance is no movement. */
export const STILL_M = 0.3;
/** At this speed a person is walking, even if seen only for a moment. */
const SLOW_MPS = 0.3;
/** Sightings this far from a moment still apply to it. */
const BESIDE_US = 4_000_000;
/** The longest time for which a walk is followed. */
const WALK_US = 8_000_000;
/** The last seconds of a walk give its direction. */
const RECENT_US = 6_000_000;
const SHORT_US = 3_000_000;
const AGAIN_US = 600_000;
/** Sightings farther apart than this belong to two walks. */
const STEP_US = 2_000_000;
const MOST_LOOKS = 40;

/** A movement around the moment that is meant, or the last one. */
export interface Way {
  readonly steps: readonly Step[];
  readonly dx: number;
  readonly dy: number;
  readonly speedMps: number;
  readonly moving: boolean;
  readonly atUs: number;
}

/** The sightings that show a thing's movement; none where it was seen for a moment only. */
export async function wayOf(thing: KnownThing, scope: Scope): Promise<Way | undefined> {
  const asked = momentOf(scope);
  return wayBy(nearby(await looksAround(thing, scope, BESIDE_US), asked));
}

/** The rest of a walk from a moment on: its end is the destination. */
export async function walkOf(thing: KnownThing, scope: Scope): Promise<Way | undefined> {
  const asked = momentOf(scope);
  const looks = await looksAround(thing, scope, WALK_US);
  if (asked === undefined) return wayBy(nearby(looks, asked));
  const rest = looks.filter(({ timeUs }) => timeUs >= asked - AGAIN_US);
  const walk = rest.length >= 2 ? rest : looks;
  const end = walk.findIndex((look, n) => n > 1 && isPause(walk[n - 1]!, look));
  return wayBy(end < 0 ? walk : walk.slice(0, end));
}

/** The movement of the robot itself at that time. */
export async function ownWay(scope: Scope): Promise<Way | undefined> {
  const asked = momentOf(scope);
  const span =
    asked === undefined ? spanOf(scope) : { fromUs: asked - BESIDE_US, toUs: asked + BESIDE_US + 1 };
  const steps = (await ownSteps(scope, span)).filter(
    ({ timeUs }) => timeUs >= span.fromUs && timeUs < span.toUs,
  );
  return wayBy(nearby(steps, asked));
}

/** Whether it stayed in one place as far as is known. */
export async function staysPut(thing: KnownThing, memory: Belief): Promise<boolean> {
  return (await memory.stays(thing.trackId)).length <= 1;
}

function looksAround(thing: KnownThing, scope: Scope, afterUs: number): Promise<Step[]> {
  const asked = momentOf(scope);
  const span = asked === undefined ? spanOf(scope) : { fromUs: asked - BESIDE_US, toUs: asked + afterUs + 1 };
  return stepsOf(thing, scope.memory, span, { limit: MOST_LOOKS });
}

function wayBy(steps: readonly Step[]): Way | undefined {
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last || last.timeUs <= first.timeUs) return undefined;
  const [dx, dy] = [last.position.x - first.position.x, last.position.y - first.position.y];
  const m = Math.hypot(dx, dy);
  const speedMps = m / ((last.timeUs - first.timeUs) / 1e6);
  const moving = m > STILL_M || (speedMps > SLOW_MPS && m > STILL_M / 2);
  return { steps, dx, dy, speedMps, moving, atUs: last.timeUs };
}

/** The sightings around the moment asked about, or of the last few seconds. */
function nearby(looks: readonly Step[], asked: number | undefined): Step[] {
  if (asked === undefined)
    return looks.filter(({ timeUs }) => timeUs >= (looks.at(-1)?.timeUs ?? 0) - RECENT_US);
  const after = looks.filter(({ timeUs }) => timeUs >= asked - AGAIN_US);
  const near = after.length >= 2 ? after : looks;
  const end = near.findIndex(({ timeUs }) => timeUs > near[0]!.timeUs + SHORT_US);
  return near.slice(0, Math.max(2, end));
}

function isPause(a: Step, b: Step): boolean {
  const m = Math.hypot(b.position.x - a.position.x, b.position.y - a.position.y);
  return b.timeUs - a.timeUs > STEP_US || m < STILL_M / 3;
}
