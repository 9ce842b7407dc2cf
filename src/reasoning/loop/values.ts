import { enclosingSides, polygonArea, type Vec3 } from "../../geometry/index.ts";
import type { ModelAnswer } from "../../models/prompts/index.ts";
import type { Evidence } from "../../retrieval/index.ts";
import type { AnswerInput } from "../../schema/index.ts";
import { amountIn, isNear } from "../claims/index.ts";
import type { LoopMemory } from "./loop-memory.ts";
import { type CheckContext, type Checked, countOf, letterOf } from "./verify.ts";

type Values = Pick<
  AnswerInput,
  "binary" | "position" | "time" | "durationS" | "count" | "quantity" | "choice" | "set" | "motion"
>;

/** The typed fields of an answer. Places, times and lengths are those of the records that the model named. */
export function valuesOf(answer: ModelAnswer, { cited }: Checked, context: CheckContext): Values {
  const { memory } = context;
  const subject =
    (answer.subject != null ? memory.known(answer.subject) : undefined) ?? bestOf(answer, cited);
  const second = answer.second != null && answer.second !== "me" ? memory.known(answer.second) : undefined;
  const values: Values = {};
  if (answer.binary != null) values.binary = answer.binary;
  const letter = context.options && letterOf(answer, context.options);
  if (letter !== undefined) values.choice = letter;
  if (answer.set != null) values.set = answer.set.map((said) => namedOf(said, memory));
  const count = answer.type === "count" ? countOf(answer, context) : undefined;
  if (count !== undefined) values.count = count;
  if (answer.moving != null)
    values.motion = {
      moving: answer.moving,
      ...(answer.direction != null && { direction: answer.direction }),
    };
  if (subject === undefined) return values;
  if (answer.type === "position" || answer.subject != null) Object.assign(values, positionOf(subject));
  if (answer.type === "time" || answer.moment != null) {
    const atUs = momentOf(subject, answer.moment, memory);
    values.time = { atUs, agoS: (memory.nowUs - atUs) / 1e6 };
  }
  if (answer.type === "duration") values.durationS = durationOf(answer, subject, second, memory);
  if (answer.type === "quantity" || answer.measure != null)
    Object.assign(values, quantityOf(answer, subject, second, memory));
  return values;
}

/** The name of a list member where the model gave its id. */
function namedOf(said: string, memory: LoopMemory): string {
  const record = memory.known(said)?.record;
  const name = record && "name" in record ? record.name : undefined;
  return name || said;
}

function bestOf({ type }: ModelAnswer, cited: readonly Evidence[]): Evidence | undefined {
  if (type === "position") return cited.find(({ position }) => position !== undefined);
  return ["time", "duration", "quantity"].includes(type) ? cited[0] : undefined;
}

function positionOf({ position, record, chain }: Evidence): Pick<Values, "position"> {
  if (position === undefined) return {};
  const cov = record.anchor?.cov;
  const variance = cov ? Math.max(0, (cov[0]! + cov[4]! + cov[8]!) / 3) : undefined;
  return {
    position: {
      point: position,
      ...(variance !== undefined && { sdM: Math.sqrt(variance) }),
      ...(record.kind === "state" && { trackId: record.trackId }),
      ...(chain?.[0] !== undefined && { region: chain[0] }),
    },
  };
}

/** The moment of a record: of a thing its last sighting, of an event its start. */
function momentOf({ record, presence }: Evidence, moment: ModelAnswer["moment"], memory: LoopMemory): number {
  const end = record.validToUs === null ? memory.nowUs : record.validToUs - 1;
  const asked = moment ?? (record.kind === "state" ? "last-seen" : "start");
  const timeUs = {
    "first-seen": presence?.firstSeenUs ?? record.validFromUs,
    "last-seen": presence?.lastSeenUs ?? (presence ? record.validFromUs : end),
    gone: presence?.firstAbsentAfterUs ?? end,
    start: record.validFromUs,
    end,
  }[asked];
  return Math.min(timeUs, memory.nowUs);
}

/**
 * A supported amount in words is the answer; the named record may be about something else, such as when a room was
 * first and last seen where the question is about the time spent in it.
 */
export function asSaid(values: Values, text: string): void {
  const said = amountIn(text, "measure");
  if (said === undefined) return;
  const { durationS, quantity } = values;
  if (said.unit === "s" && durationS !== undefined && !isNear(durationS, said, false))
    values.durationS = said.value;
  if (said.unit === quantity?.unit && !isNear(quantity.value, said, false))
    values.quantity = { ...quantity, value: said.value };
}

function durationOf(
  answer: ModelAnswer,
  subject: Evidence,
  second: Evidence | undefined,
  memory: LoopMemory,
): number {
  if (second !== undefined) {
    const from = momentOf(subject, answer.moment, memory);
    return Math.abs(momentOf(second, answer.moment, memory) - from) / 1e6;
  }
  const [first, last] = subject.presence
    ? (["first-seen", "last-seen"] as const)
    : (["start", "end"] as const);
  return Math.max(0, momentOf(subject, last, memory) - momentOf(subject, first, memory)) / 1e6;
}

function quantityOf(
  answer: ModelAnswer,
  subject: Evidence,
  second: Evidence | undefined,
  memory: LoopMemory,
): Pick<Values, "quantity"> {
  if (answer.measure === "distance" || answer.measure == null) {
    const [a, b] = [subject.position, second?.position ?? (second ? undefined : memory.options.pose?.p)];
    return a && b ? metres(Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)) : {};
  }
  if (subject.record.kind === "region") return sideOfRoom(subject.record.hull ?? [], answer.measure);
  if (subject.box === undefined) return {};
  const { min, max } = subject.box;
  // A box in its own frame is tighter than its bounds in the world; sizes are those of the thing itself.
  const size = subject.record.extent ?? { x: max.x - min.x, y: max.y - min.y, z: max.z - min.z };
  if (answer.measure === "height") return metres(size.z);
  if (answer.measure === "area") return squareMetres(size.x * size.y);
  return metres(answer.measure === "length" ? Math.max(size.x, size.y) : Math.min(size.x, size.y));
}

/** The area of a room by its outline, or a side of the rectangle around it; how high it is was not measured. */
function sideOfRoom(
  hull: readonly Vec3[],
  measure: NonNullable<ModelAnswer["measure"]>,
): Pick<Values, "quantity"> {
  if (hull.length === 0 || measure === "height") return {};
  if (measure === "area") return squareMetres(Math.abs(polygonArea({ points: hull })));
  const [long, short] = enclosingSides(hull);
  return metres(measure === "length" ? long : short);
}

const metres = (value: number) => ({ quantity: { value, unit: "m" as const } });
const squareMetres = (value: number) => ({ quantity: { value, unit: "m2" as const } });
