import { elementsOf, idOf } from "./operators/elements.ts";
import type { Value } from "./value.ts";

/** The content of a value as a string, to tell whether two are the same answer. */
export function gistOf(value: Value): string {
  switch (value.kind) {
    case "things":
    case "rooms":
    case "events":
    case "floors":
      return elementsOf(value).map(idOf).sort().join(" ");
    case "times":
      return value.spans.map(({ fromUs }) => Math.round(fromUs / 1e6)).join(" ");
    case "number":
      return `${value.value.toPrecision(2)} ${value.unit}`;
    case "words":
      return value.items.map(({ words, thing, room }) => words || thing?.trackId || room?.id).join("; ");
    case "truth":
      return String(value.truth);
    case "route":
      return `route of ${Math.round(value.lengthM)}`;
    case "self":
      return "self";
    case "unknown":
      return `unknown ${value.reason}`;
  }
}
