import { draft, goal, UNKNOWN } from "../ask-kinds.ts";
import { isRoom } from "../noun-phrase.ts";
import { type Builder, type Found, phraseIn, stateIn, textOf, thingIn, timesIn, whatever } from "./build.ts";
import { type Kind, kind } from "./kind.ts";
import { has, secondAfter } from "./roles.ts";
import { enteringOf, hostOfRoom, largerFirst, nearerOf, standingOf } from "./which-is-which.ts";

const ego = (predicate: "left" | "right") => ({ predicate, frame: { kind: "ego" as const } });

const sideOf = (found: Found) => textOf(found, found.roles["side"]!) as "left" | "right";

const larger =
  (dimension: "size" | "height"): Builder =>
  (found) => {
    const less =
      has(found.form, dimension === "size" ? "smaller" : "shorter") &&
      !has(found.form, dimension === "size" ? "bigger" : "taller");
    return [
      draft("compare", "binary", [thingIn(found, "first"), thingIn(found, "second")], {
        compare: { op: less ? "less" : "more", dimension },
      }),
    ];
  };

const largestAmong: Builder = ({ among, form }) => {
  if (among.length === 0) return undefined;
  const rooms = among.every(({ target }) => isRoom(target));
  const least = has(form, "smaller") || /\b(?:smallest|tiniest)\b/.test(form.text);
  return [
    draft(
      "compare",
      "choice",
      among.map((one) => (rooms ? { ...one, property: "room" } : one)),
      {
        quantifier: "superlative",
        compare: { op: least ? "least" : "most", dimension: "size" },
      },
    ),
  ];
};

/** Sides, distances, states, sizes, room for more. */
export const KINDS_OF_MEASURES: Readonly<Record<string, Kind>> = {
  "spatial/standing": kind(
    "at:thing facing:thing thing:thing",
    "if i stand at {at} and face {facing}, is {thing} to my left, to my right or behind me",
    (found) => [
      draft("direction", "text", [thingIn(found, "thing")], {
        alternatives: ["left", "right", "behind"],
        frame: {
          kind: "viewer",
          ref: phraseIn(found, "at").description,
          facing: phraseIn(found, "facing").description,
        },
      }),
    ],
    standingOf,
  ),
  "spatial/distance": kind("first:thing second:thing", "how far is {first} from {second}", (found) => [
    draft("distance", "quantity", [thingIn(found, "first"), thingIn(found, "second")]),
  ]),
  "spatial/past-ego": kind("side:side when:when", "what was on your {side} {when}", (found) => [
    draft("recognise", "text", [{ target: UNKNOWN, relations: [ego(sideOf(found))] }], {
      times: timesIn(found, "when"),
    }),
  ]),
  "spatial/past-ego-is": kind(
    "thing:thing side:side when:when",
    "was {thing} on your {side} {when}",
    (found) => {
      const thing = thingIn(found, "thing");
      return [
        draft("relate", "binary", [{ ...thing, relations: [...thing.relations, ego(sideOf(found))] }], {
          times: timesIn(found, "when"),
        }),
      ];
    },
  ),
  "spatial/entering": kind(
    "room:room from:room side:side",
    "entering {room} from {from}, what is on the {side}",
    (found) => {
      const [room, from] = [phraseIn(found, "room").description, phraseIn(found, "from").description];
      const frame = { kind: "viewer" as const, ref: room, from };
      return [
        draft(
          "recognise",
          "text",
          [{ target: UNKNOWN, region: room, relations: [{ predicate: sideOf(found), frame }] }],
          { frame },
        ),
      ];
    },
    enteringOf,
  ),
  "state/is": kind("thing:thing value:state", "is {thing} {value}", (found) => {
    const { attribute, value } = stateIn(found, "value");
    return [
      draft("state", "binary", [thingIn(found, "thing", { property: attribute })], { alternatives: [value] }),
    ];
  }),
  "state/which": kind("thing:thing first:state second:state", "is {thing} {first} or {second}", (found) => [
    draft("state", "text", [thingIn(found, "thing")], {
      alternatives: [textOf(found, found.roles["first"]!), textOf(found, found.roles["second"]!)],
    }),
  ]),
  "state/last-seen": kind(
    "thing:thing value:state",
    "was {thing} {value} the last time you saw it",
    (found) => {
      const { attribute, value } = stateIn(found, "value");
      return [
        draft("state", "binary", [thingIn(found, "thing", { property: attribute })], {
          alternatives: [value],
          times: [{ kind: "last" }],
        }),
      ];
    },
  ),
  "comparison/bigger": kind(
    "first:place second:place",
    "is {first} bigger than {second}",
    larger("size"),
    largerFirst,
  ),
  "comparison/taller": kind(
    "first:thing second:thing",
    "is {first} taller than {second}",
    larger("height"),
    largerFirst,
  ),
  "comparison/closer": kind(
    "first:thing second:thing third:thing",
    "is {first} closer to {second} than to {third}",
    (found) => [
      draft("compare", "binary", [thingIn(found, "second"), thingIn(found, "third")], {
        compare: {
          op: has(found.form, "farther") ? "more" : "less",
          dimension: "distance",
          to: phraseIn(found, "first").description,
        },
      }),
    ],
    nearerOf,
  ),
  "comparison/more": kind(
    "things:things first:room second:room",
    "are there more {things} in {first} than in {second}",
    (found) => {
      const count = (place: string) =>
        thingIn(found, "things", { region: phraseIn(found, place).description });
      const fewer = has(found.form, "fewer") && !has(found.form, "more");
      return [
        draft("compare", "binary", [count("first"), count("second")], {
          compare: { op: fewer ? "less" : "more", dimension: "count" },
        }),
      ];
    },
    (form, roles) => secondAfter(form, roles, "than"),
  ),
  "comparison/largest": kind("", "which of these is the largest", largestAmong),
  "comparison/room-largest": kind("", "which of these rooms is the largest", largestAmong),
  "comparison/nearest": kind("anchor:thing", "which of these is closest to {anchor}", (found) =>
    found.among.length === 0
      ? undefined
      : [
          draft("compare", "choice", [...found.among], {
            quantifier: "superlative",
            compare: { op: "least", dimension: "distance", to: phraseIn(found, "anchor").description },
          }),
        ],
  ),
  "comparison/room-most": kind("things:things", "which room has the most {things}", (found) => [
    draft("compare", "text", [thingIn(found, "things", { property: "room" })], {
      quantifier: "superlative",
      compare: { op: "most", dimension: "count" },
    }),
  ]),
  "capacity/anything-on": kind("host:thing", "is there anything on {host}", (found) => [
    draft("exist", "binary", [whatever(found, "on", "host")], { quantifier: "any" }),
  ]),
  "capacity/room-for": kind(
    "host:thing thing:thing",
    "is there still room on {host} for {thing}",
    (found) => {
      const host = phraseIn(found, "host");
      return [
        draft(
          "capacity",
          "binary",
          [{ ...thingIn(found, "thing"), relations: [{ predicate: "on", anchor: host.description }] }],
          { verb: "fit" },
        ),
      ];
    },
    hostOfRoom,
  ),
  "capacity/seats": kind("room:room", "how many free seats are there in {room}", (found) => [
    draft("capacity", "count", [goal(undefined, { region: phraseIn(found, "room").description })], {
      quantifier: "count",
      verb: "sit",
    }),
  ]),
  "nearest/walk": kind("thing:things", "where is the nearest {thing}", (found) => [
    draft("nearest", "position", [thingIn(found, "thing")], { quantifier: "superlative" }),
  ]),
};
