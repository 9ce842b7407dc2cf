import { type Doer, doersOf } from "../../../belief/carriers.ts";
import { statesOf } from "../../../belief/changes.ts";
import type { Happening } from "../../../belief/happening.ts";
import { evidenceFor } from "../../../belief/trust.ts";
import { nounOf } from "../../say/naming.ts";
import type { Call, Operator } from "../operator.ts";
import { happeningsOf } from "../time/happenings.ts";
import {
  type EventsValue,
  notSo,
  type ThingsValue,
  type TruthValue,
  unknownValue,
  type Value,
  wordsValue,
} from "../value.ts";
import { CARRIED_P, carrierOf } from "./changes.ts";

/** The agent or cause of an event: the person who was seen beside the thing when it happened, where there was one. */
export const causes: readonly Operator[] = [
  {
    name: "cause",
    says: "who did it or why it is so: the person seen beside it then, else not known, and a false premise where it is not so",
    takes: [{ name: "what is so", kinds: ["truth", "events", "things"] }],
    gives: "words",
    async run(call) {
      const so = (await call.arg(0)) as TruthValue | EventsValue | ThingsValue;
      const { p, complete, evidence } = so;
      if (isSo(so)) {
        const by = await saidDoers(so, call);
        if (by) return by;
        return unknownValue("never-seen", "I did not see how that came about", { p, complete, evidence });
      }
      if (so.kind === "events")
        return unknownValue("false-premise", "I did not see that happen", { p, complete, evidence });
      return notSo(so.kind === "truth" ? so.instead : undefined, { p, complete, evidence });
    },
  },
];

function isSo(value: TruthValue | EventsValue | ThingsValue): boolean {
  if (value.kind === "truth") return value.truth;
  return value.kind === "events" ? value.events.length > 0 : value.things.length > 0;
}

/** The people who were beside a thing when it came to be so; undefined where none was seen there. */
async function saidDoers(so: TruthValue | EventsValue | ThingsValue, call: Call): Promise<Value | undefined> {
  const happened = so.kind === "events" ? happeningsOf(so).at(-1) : await lastChange(so, call);
  const doers = happened ? await doersIn(happened, call) : [];
  const [first] = doers;
  if (!first || !happened?.thing) return undefined;
  const names = doers.map(({ person }) => nounOf(person)).join(" or ");
  const words = `probably ${names}, who was seen beside it when it happened`;
  const item = { words, p: first.p, thing: doers.length === 1 ? first.person : undefined };
  const evidence = evidenceFor([...doers.map(({ person }) => person), happened.thing]);
  return wordsValue("who", [item], { p: Math.min(so.p, first.p), evidence });
}

async function doersIn(happened: Happening, { scope: { memory } }: Call): Promise<readonly Doer[]> {
  const { event, thing } = happened;
  if (event.type === "state-change" && thing) return doersOf(event, thing, memory);
  const carrier = event.type === "move" ? await carrierOf(happened, memory) : undefined;
  return carrier ? [{ person: carrier, p: CARRIED_P }] : [];
}

/** The last change of a thing to the state that is so. */
async function lastChange(
  { evidence }: TruthValue | ThingsValue,
  { node, scope: { memory } }: Call,
): Promise<Happening | undefined> {
  const { attribute, value } = (node.of[0]?.with ?? {}) as { attribute?: unknown; value?: unknown };
  const trackId = evidence[0]?.trackId;
  const thing =
    attribute === undefined || trackId === undefined ? undefined : await memory.thingById(trackId);
  if (!thing) return undefined;
  const changes = await statesOf(thing, memory);
  const event = changes.findLast(
    ({ detail }) => detail["attribute"] === attribute && (value === undefined || detail["to"] === value),
  );
  return event && { event, thing };
}
