import type { Expression } from "../../../schema/index.ts";
import { node } from "../../algebra/notation.ts";
import { type Noun, type Predicate, setOf } from "../phrases.ts";
import { countOf, SELF } from "./build.ts";
import { type Frame, frames } from "./frame.ts";

type Counted = { np: Noun; pred?: Predicate; by?: number };

const HERE =
  "(from where | where | at where | from here | here | from (the | this) direction | in (the | this) direction | from my position | from this position | in front of me | from (the | this) (place | spot)) [i | that i] [am] [standing | sitting | looking | facing | lying | stand | sit | am | at] [at | now | in]";
const TURNED =
  "(if | when | after) (i | we) (turn | look | turned | looked | turn my head | look to) (around | back | backwards | backward | behind me | behind)";
const SEE = "(can | could | will | would | do | am) (i | we) (see | still see | able to see)";
const NUMBER = "the [total] (amount | number | count | amounts | numbers) of $np:any [$pred]";

const seen =
  (relation: string) =>
  ({ np }: { np: Noun }): Expression | undefined =>
    np.kind === "things"
      ? node("exists", [node("relate", [setOf({ ...np, definite: false }), SELF], { relation })])
      : undefined;

/** Questions of somebody who stands somewhere and looks, and sums about what is there. */
export const SITUATED: readonly Frame[] = [
  ...frames([`${SEE} $np:any ${HERE}`], seen("front"), -0.05),
  ...frames([`${SEE} $np:any ${TURNED}`, `${TURNED} ${SEE} $np:any`], seen("behind"), -0.05),
  ...frames([`BE ${NUMBER} (odd or even | even or odd)`], ({ np, pred }: Counted) => {
    const count = countOf(np, pred);
    return count && node("parity", [count]);
  }),
  ...frames(
    [
      `(can | could | may) ${NUMBER} [be] [evenly] (divided | divisible | divide) [evenly] by $by:number [evenly]`,
      `BE ${NUMBER} [evenly] (divisible | dividable) by $by:number`,
    ],
    ({ np, pred, by }: Counted) => {
      const count = countOf(np, pred);
      return count && by ? node("divisible", [count], { by }) : undefined;
    },
  ),
];
