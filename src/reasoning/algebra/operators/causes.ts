import type { Operator } from "../operator.ts";
import { type EventsValue, type ThingsValue, type TruthValue, unknownValue } from "../value.ts";

/** Who or what brought something about. It was not seen; but whether it is so at all is known. */
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
      const instead = so.kind === "truth" && so.instead;
      const says = instead
        ? `that is not so: ${instead.replace(/^(?=is |was |are |were )/, "it ")}`
        : "that is not so";
      return unknownValue("false-premise", says, { p, complete, evidence });
    },
  },
];

function isSo(value: TruthValue | EventsValue | ThingsValue): boolean {
  if (value.kind === "truth") return value.truth;
  return value.kind === "events" ? value.events.length > 0 : value.things.length > 0;
}
