import type { Operator } from "../operator.ts";
import { type EventsValue, notSo, type ThingsValue, type TruthValue, unknownValue } from "../value.ts";

/** The agent or cause of an event. It was not observed; whether the event happened at all is known. */
export const causes: readonly Operator[] = [
  {
    name: "cause",
    says: "who did it or why it is so: not known, and a false premise where it is not so",
    takes: [{ name: "what is so", kinds: ["truth", "events", "things"] }],
    gives: "words",
    async run(call) {
      const so = (await call.arg(0)) as TruthValue | EventsValue | ThingsValue;
      const { p, complete, evidence } = so;
      if (isSo(so))
        return unknownValue("never-seen", "I did not see how that came about", { p, complete, evidence });
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
