import { node } from "../../algebra/notation.ts";
import { meant, type Noun } from "../phrases.ts";
import { IT, nameOf, SELF } from "./build.ts";
import { type Frame, frames } from "./frame.ts";

/** What the asked one did itself, where it went, how it and others moved. */
export const DOINGS: readonly Frame[] = [
  ...frames(
    [
      "[give | list | name | log] [me] [your | the] room (sequence | order | log)",
      "(log | list | sequence | order) of [the] rooms [traversed | visited | entered | occupied] [chronological | in order]",
      "[give | list | name] [me] [the] (sequence | order | list) of rooms [that] YOU (visited | occupied | entered | went through | were in | passed)",
      "(which | what) [other] rooms (DO | HAVE) YOU [already | ever] (visit | visited | enter | entered | go to | been to | been in | see | seen | explore | explored | check | checked | go through | gone through)",
      "(which | what) rooms BE YOU in",
      "where (DO | HAVE) YOU [all] (go | been)",
      "(list | name) [all] [the] rooms [that] YOU (visited | were in | entered | went to)",
      "which way did you (go | take)",
    ],
    (_: object, s) =>
      nameOf(node("room", [node("doings", [], { verb: s.words[0] === "where" ? "enter" : "visit" })])),
  ),
  ...frames(
    [
      "(which | what) room DO (your tour | your round | the tour) (start | begin | end | finish) [in]",
      "(which | what) room DO YOU (enter | visit | go to | see | start in | begin in | go into | explore | be in) $order",
      "(which | what) room (BE | was) [the] $order [one] [that] [YOU] [visited | entered | went to | were in]",
      "where DO YOU (go | start | begin | end | finish) [$order]",
      "(which | what) BE the $order room [that] [YOU] (entered | visited | saw | went to | were in)",
      "(in | ) (which | what) room DO YOU (start | begin | end | finish | end up) [in]",
      "where BE YOU $order",
    ],
    ({ order }: { order?: string }, s) => {
      const last = order === "last" || s.words.some((word) => /^(?:end|finish)$/.test(word));
      const n = last ? -1 : order === "second" ? 2 : order === "third" ? 3 : 1;
      return nameOf(
        node("room", [
          node("nth", [node("doings", [], { verb: "enter" }), node("seen", [IT], { which: "first" })], { n }),
        ]),
      );
    },
    0.02,
  ),
  ...frames(
    [
      "(which | what) [room] DO YOU (go to | go into | enter | visit | come to | see | move to | drive to) (next | then | afterwards)",
      "(which | what) room (came | was) next",
      "where DO YOU (go | drive | head | move) (next | then | afterwards) [to]",
      "(which | what) room DO YOU (go | move | drive | head) (to | into)",
      "where DO YOU (go | drive | head | move | come from)",
      "(which | what) room DO YOU (come from | go to | enter | visit | leave)",
    ],
    (_: object, s) =>
      nameOf(
        node("room", [
          node("nth", [node("doings", [], { verb: "enter" }), node("seen", [IT], { which: "first" })], {
            n: s.words.includes("from") ? -1 : 1,
          }),
        ]),
      ),
    0.15,
  ),
  ...frames(
    [
      "[what is] [the] [total | your] (odometry | mileage | path length | track length | distance) [for this tour | of this tour | so far]",
      "[what is] [the] [total] distance (driven | travelled | covered | traveled | walked | you drove | you travelled | you covered)",
      "how far (DO | HAVE) YOU (travel | go | drive | move | walk | travelled | gone | driven | moved | walked | come) [in total]",
      "(what | how much) distance DO YOU (travel | cover | drive | go | walk)",
      "how many metres (DO | HAVE) YOU (travel | go | drive | move | travelled | driven)",
      "how long BE (your way | your path | the way you took)",
    ],
    () => node("travelled"),
  ),
  ...frames(
    [
      "(which way | in (which | what) direction | what direction | which direction | where to) BE $np:any (moving | walking | going | heading | running | travelling)",
      "(which way | in (which | what) direction | what direction) DO $np:any (move | walk | go | head | run)",
      "(which way | in (which | what) direction) BE YOU (turning | rotating | spinning)",
      "(which way | in which direction) DO YOU (turn | rotate)",
      "BE YOU (turning | rotating) (clockwise | left | right | counter-clockwise) or (clockwise | left | right | counter-clockwise | anticlockwise)",
    ],
    ({ np }: { np?: Noun }, s) =>
      np && np.kind === "things"
        ? node("motion", [meant(np)])
        : s.words.some((word) => /^(?:turn|turning|rotate|rotating|spinning)$/.test(word))
          ? node("motion", [SELF])
          : node("motion", [SELF]),
  ),
  ...frames(
    [
      "(BE | DO) $np:any (walk | walking | move | moving | go | going | head | heading | run | running) (towards | toward | to | in the direction of) $mark:any",
    ],
    ({ np, mark }: { np: Noun; mark: Noun }) =>
      np.kind === "things" ? node("approaches", [meant(np), meant(mark)]) : undefined,
  ),
  ...frames(
    [
      "(BE | DO) $np:any (walk | walking | moving | running | in motion | going anywhere)",
      "BE $np:any (standing still | still | at rest | stationary)",
    ],
    ({ np }: { np: Noun }, s) => {
      if (np.kind === "rooms" || np.generic) return undefined;
      const moves = node("moving", [np.kind === "self" ? SELF : meant(np)]);
      return s.words.some((word) => /^(?:still|rest|stationary)$/.test(word)) ? node("not", [moves]) : moves;
    },
  ),
  ...frames(
    [
      "how fast (BE | DO) $np:any (walk | walking | move | moving | go | going | run | running | travelling)",
      "(what BE | tell me) the speed of $np:any",
      "(with | at) what speed (BE | DO) $np:any (walk | walking | move | moving)",
    ],
    ({ np }: { np: Noun }) => node("speed", [np.kind === "self" ? SELF : meant(np)]),
  ),
];
