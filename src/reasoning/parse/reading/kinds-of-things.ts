import { type Draft, draft, goal, UNKNOWN } from "../ask-kinds.ts";
import { plain } from "../noun-phrase.ts";
import { about, alike, alikeAmong, phraseIn, stateIn, textOf, thingIn, whatever } from "./build.ts";
import { type Kind, kind } from "./kind.ts";
import { has } from "./roles.ts";
import { hostSecond } from "./which-is-which.ts";

const counted = (subgoal: Draft["subgoals"]): Draft =>
  draft("count", "count", subgoal!, { quantifier: "count" });

/** What there is, where, how it looks, how many, and what is alike. */
export const KINDS_OF_THINGS: Readonly<Record<string, Kind>> = {
  "recognition/on": kind("anchor:thing", "what is on {anchor}", (found) => [
    draft("recognise", "text", [whatever(found, "on", "anchor")], { quantifier: "one" }),
  ]),
  "recognition/all-on": kind("anchor:thing", "what things are on {anchor}", (found) => [
    draft("recognise", "set", [whatever(found, "on", "anchor", { ...UNKNOWN, plural: true })], {
      quantifier: "all",
    }),
  ]),
  "recognition/in": kind("anchor:thing", "what is in {anchor}", (found) => [
    draft("recognise", "text", [whatever(found, "in", "anchor")], { quantifier: "one" }),
  ]),
  "recognition/next-to": kind("anchor:thing", "what is next to {anchor}", (found) => [
    draft(
      "recognise",
      "text",
      [
        whatever(
          found,
          "next-to",
          "anchor",
          has(found.form, "furniture") ? plain("furniture", "furniture") : UNKNOWN,
        ),
      ],
      { quantifier: "one" },
    ),
  ]),
  "recognition/between": kind("first:thing second:thing", "what is between {first} and {second}", (found) => {
    const [a, b] = [phraseIn(found, "first"), phraseIn(found, "second")];
    const region = a.region ?? b.region;
    return [
      draft("recognise", "text", [
        {
          target: UNKNOWN,
          relations: [{ predicate: "between", anchor: a.description, anchor2: b.description }],
          ...(region && { region }),
        },
      ]),
    ];
  }),
  "recognition/says": kind("text:quote", "what says {text}", (found) => {
    const text = textOf(found, found.roles["text"]!).replace(/"/g, "").trim();
    return [
      draft("recognise", "text", [
        goal({ description: { ...UNKNOWN, attributes: { text }, phrase: text }, relations: [], rest: "" }),
      ]),
    ];
  }),
  "localisation/where": kind("thing:thing", "where is {thing}", about("locate", "position")),
  "localisation/room": kind("thing:thing", "which room is {thing} in", about("locate", "text", "room")),
  "localisation/point": kind("thing:thing", "go to {thing}", about("locate", "position")),
  "attribute/colour": kind("thing:thing", "what colour is {thing}", about("attribute", "text", "colour")),
  "attribute/material": kind(
    "thing:thing",
    "what is {thing} made of",
    about("attribute", "text", "material"),
  ),
  "attribute/text": kind("thing:thing", "what is written on {thing}", about("attribute", "text", "text")),
  "attribute/height": kind("thing:thing", "how tall is {thing}", about("size", "quantity", "height")),
  "attribute/colours": kind("things:things", "what colours do {things} have", (found) => [
    draft("attribute", "text", [thingIn(found, "things", { property: "colour" })], { quantifier: "all" }),
  ]),
  "relationship/same-room": kind(
    "first:thing second:thing",
    "are {first} and {second} in the same room",
    alike("place"),
  ),
  "relationship/same-colour": kind(
    "first:thing second:thing",
    "are {first} and {second} the same colour",
    alike("colour"),
  ),
  "relationship/same-surface": kind(
    "first:thing second:thing",
    "are {first} and {second} on the same surface",
    alike("place"),
  ),
  "relationship/on": kind(
    "first:thing second:thing",
    "is {first} on {second}",
    (found) => {
      const [first, second] = [phraseIn(found, "first"), phraseIn(found, "second")];
      const region = first.region ?? second.region;
      return [
        draft("relate", "binary", [
          {
            ...goal(first),
            relations: [...first.relations, { predicate: "on", anchor: second.description }],
            ...(region && { region }),
          },
        ]),
      ];
    },
    hostSecond,
  ),
  "relationship/which-same-room": kind(
    "anchor:thing",
    "which of these is in the same room as {anchor}",
    alikeAmong("place"),
  ),
  "relationship/which-same-colour": kind(
    "anchor:thing",
    "which of these has the same colour as {anchor}",
    alikeAmong("colour"),
  ),
  "counting/room": kind("things:things room:room", "how many {things} are in {room}", (found) => [
    counted([thingIn(found, "things", { region: phraseIn(found, "room").description })]),
  ]),
  "counting/house": kind("things:things", "how many {things} are there in the house", (found) => [
    counted([thingIn(found, "things", { region: plain("house", "house") })]),
  ]),
  "counting/on": kind("anchor:thing", "how many things are on {anchor}", (found) => [
    counted([whatever(found, "on", "anchor", { ...UNKNOWN, plural: true })]),
  ]),
  "counting/around": kind("things:things anchor:thing", "how many {things} are around {anchor}", (found) => {
    const anchor = phraseIn(found, "anchor");
    return [
      counted([
        {
          ...thingIn(found, "things"),
          relations: [{ predicate: "around", anchor: anchor.description }],
          ...(anchor.region && { region: anchor.region }),
        },
      ]),
    ];
  }),
  "counting/rooms-with": kind("things:things", "how many rooms have {things}", (found) => [
    counted([thingIn(found, "things", { property: "room" })]),
  ]),
  "existence/room": kind("things:things room:room", "is there {things} in {room}", (found) => [
    draft("exist", "binary", [thingIn(found, "things", { region: phraseIn(found, "room").description })], {
      quantifier: "any",
    }),
  ]),
  "existence/house": kind("things:things", "is there {things} in the house", (found) => [
    draft("exist", "binary", [thingIn(found, "things", { region: plain("house", "house") })], {
      quantifier: "any",
    }),
  ]),
  "existence/state": kind(
    "things:things room:room value:state",
    "is there {things} that is {value} in {room}",
    (found) => {
      const { attribute, value } = stateIn(found, "value");
      const { target, ...rest } = thingIn(found, "things", { region: phraseIn(found, "room").description });
      return [
        draft(
          "exist",
          "binary",
          [{ ...rest, target: { ...target, attributes: { ...target.attributes, [attribute]: value } } }],
          { quantifier: "any" },
        ),
      ];
    },
  ),
};
