import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import type { Measure } from "./lexicon.ts";

/** The number that a measure is of something: large is volume of a thing and floor of a room. */
export function measureOf(
  { op, dimension, which }: Measure,
  of: Expression,
  kind: "things" | "rooms" | "floors" | "self",
  from?: Expression | undefined,
): Expression {
  switch (op) {
    case "size":
      return node("size", [of], {
        dimension: kind === "rooms" && dimension === "volume" ? "area" : dimension!,
      });
    case "distance":
      return node("distance", from ? [of, from] : [of]);
    case "seen":
      return node("seen", [of], { which: which! });
    default:
      return node(op, [of]);
  }
}
