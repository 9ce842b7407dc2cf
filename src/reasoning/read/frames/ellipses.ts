import type { Expression } from "../../../schema/index.ts";
import { node } from "../../algebra/notation.ts";
import type { Sentence } from "../sentence.ts";
import { nameOf } from "./build.ts";
import { type Frame, frames } from "./frame.ts";

/** Questions that leave out what they are about: it was spoken of before. */
const about =
  (build: (of: Expression, given: { attr?: string }) => Expression) =>
  (given: { attr?: string }, s: Sentence): Expression | undefined => {
    const { antecedent } = s.context.antecedents ?? {};
    return antecedent && build(antecedent, given);
  };

export const ELLIPSES: readonly Frame[] = [
  ...frames(
    ["where [exactly | then]", "and where"],
    about((of) => node("place", [of])),
    0.05,
  ),
  ...frames(
    ["[in] (which | what) room", "(in | ) (which | what) rooms"],
    about((of) => nameOf(node("room", [of]))),
    0.02,
  ),
  ...frames(
    ["[on] (which | what) (floor | storey)"],
    about((of) => nameOf(node("floor", [of]))),
    0.02,
  ),
  ...frames(
    [
      "(which | what) (one | ones)",
      "which",
      "(which | what) (one | ones) (is | are) (it | that | they)",
      "what is it",
      "what are they",
      "who",
    ],
    about((of) => nameOf(of)),
    0.1,
  ),
  ...frames(
    ["how many [are there]"],
    about((of) => node("count", [of])),
    0.1,
  ),
  ...frames(
    ["[in | of] (what | which) $attr"],
    about((of, { attr }) => node("attribute", [of], { name: attr! })),
    0.05,
  ),
  ...frames(
    ["when [was that | exactly]", "since when"],
    about((of) => node("when", [of])),
    0.1,
  ),
];
