import { draft, goal } from "../ask-kinds.ts";
import { about, type Builder, phraseIn, sightOf, thingIn, timesIn } from "./build.ts";
import { type Kind, kind } from "./kind.ts";
import { earlierFirst, gapStartFirst } from "./which-is-which.ts";

const changed =
  (verb: string): Builder =>
  (found) => [
    draft("change", "set", [goal(undefined)], { quantifier: "all", verb, times: timesIn(found, "since") }),
  ];

/** What was seen when, where the agent was, what changed, who moved. */
export const KINDS_OF_TIMES: Readonly<Record<string, Kind>> = {
  "temporal/last-seen": kind("thing:thing", "when did you last see {thing}", sightOf("last")),
  "temporal/first-seen": kind("thing:thing", "when did you first see {thing}", sightOf("first")),
  "temporal/before": kind(
    "first:thing second:thing",
    "did you see {first} before {second}",
    (found) => [
      draft("order", "binary", [thingIn(found, "first"), thingIn(found, "second")], { verb: "see" }),
    ],
    earlierFirst,
  ),
  "temporal/gap": kind(
    "first:thing second:thing",
    "how long after you first saw {first} did you see {second}",
    (found) => [
      draft("duration", "duration", [thingIn(found, "first"), thingIn(found, "second")], { verb: "gap" }),
    ],
    gapStartFirst,
  ),
  "ego/visited": kind("room:room", "did you go into {room}", (found) => [
    draft("ego", "binary", [thingIn(found, "room")], { verb: "enter" }),
  ]),
  "ego/times": kind("room:room", "how many times did you enter {room}", (found) => [
    draft("frequency", "count", [thingIn(found, "room")], { verb: "enter" }),
  ]),
  "ego/duration": kind("room:room", "how long were you in {room}", (found) => [
    draft("duration", "duration", [thingIn(found, "room")], { verb: "stay" }),
  ]),
  "ego/next-room": kind(
    "room:room",
    "which room did you go to right after you were first in {room}",
    (found) => [
      draft("ego", "text", [goal(undefined)], {
        verb: "next",
        times: [
          { kind: "after", n: 1, event: { verb: "enter", target: phraseIn(found, "room").description } },
        ],
      }),
    ],
  ),
  "ego/room-ago": kind("when:when", "which room were you in {when}", (found) => [
    draft("ego", "text", [goal(undefined)], { verb: "next", times: timesIn(found, "when") }),
  ]),
  "ego/distance": kind("since:since", "how far did you travel {since}", (found) => [
    draft("distance", "quantity", [goal(undefined)], { verb: "travel", times: timesIn(found, "since") }),
  ]),
  "change/moved": kind(
    "thing:thing",
    "has {thing} been moved",
    about("change", "binary", undefined, { verb: "move" }),
  ),
  "change/where-before": kind(
    "thing:thing",
    "where was {thing} before it was moved",
    about("change", "position", undefined, { verb: "before" }),
  ),
  "change/what-moved": kind("since:since", "what has been moved {since}", changed("moved")),
  "change/what-gone": kind("since:since", "what has disappeared {since}", changed("disappeared")),
  "change/what-new": kind("since:since", "what has been added {since}", changed("added")),
  "change/state": kind("thing:thing since?:since", "has {thing} changed its state {since}", (found) => {
    const property = /\b(?:switch|turn)/.test(found.form.text)
      ? "power"
      : /\b(?:open|clos|shut)/.test(found.form.text)
        ? "openness"
        : /\b(?:fill|empti|empty)/.test(found.form.text)
          ? "fill"
          : /\b(?:occup|sat|free)/.test(found.form.text)
            ? "occupancy"
            : /\b(?:made|unmade)\b/.test(found.form.text)
              ? "making"
              : undefined;
    return [
      draft("change", "binary", [thingIn(found, "thing", property ? { property } : {})], {
        verb: "state",
        times: timesIn(found, "since"),
      }),
    ];
  }),
  "predictive/stays": kind(
    "thing:thing place?:thing",
    "will {thing} still be there",
    about("predict", "binary"),
  ),
  "carried/what": kind("person:person", "what was {person} last carrying", (found) => [
    draft("carry", "text", [thingIn(found, "person")], { verb: "carry", times: [{ kind: "last" }] }),
  ]),
  "carried/who": kind("thing:thing", "who moved {thing}", about("carry", "text", undefined, { verb: "who" })),
  "carried/where-put": kind("person:person thing:thing", "where did {person} put {thing}", (found) => [
    draft("locate", "position", [thingIn(found, "thing")]),
  ]),
  "motion/direction": kind("person:person when:when", "which way was {person} moving {when}", (found) => [
    draft("motion", "motion", [thingIn(found, "person")], { verb: "move", times: timesIn(found, "when") }),
  ]),
  "motion/towards": kind(
    "person:person mark:thing when:when",
    "was {person} walking towards {mark} {when}",
    (found) => [
      draft("motion", "binary", [thingIn(found, "person"), thingIn(found, "mark")], {
        verb: "towards",
        times: timesIn(found, "when"),
      }),
    ],
  ),
  "motion/walking": kind("person:person when:when", "was {person} walking {when}", (found) => [
    draft("motion", "binary", [thingIn(found, "person")], {
      verb: "moving",
      times: timesIn(found, "when"),
      negated: /\b(?:standing still|stand still|stationary|motionless|at rest)\b/.test(found.form.text),
    }),
  ]),
  "motion/speed": kind("person:person when:when", "how fast was {person} walking {when}", (found) => [
    draft("motion", "quantity", [thingIn(found, "person")], { verb: "speed", times: timesIn(found, "when") }),
  ]),
  "motion/own-turn": kind("when:when", "which way were you turning {when}", (found) => [
    draft("ego", "text", [goal(undefined)], { verb: "turn", times: timesIn(found, "when") }),
  ]),
};
