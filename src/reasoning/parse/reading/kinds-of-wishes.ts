import { type Draft, draft, goal, UNKNOWN } from "../ask-kinds.ts";
import { about, type Builder, sightOf, thingIn } from "./build.ts";
import { type Kind, kind } from "./kind.ts";
import { has } from "./roles.ts";
import { complaintIn, doingIn, moodIn } from "./wishes.ts";

const THIS = { ...UNKNOWN, deixis: "this" as const };

const here: Builder = () => [draft("room", "text", [goal(undefined)])];

/** What somebody wants, the place as a whole, what is shown; and questions that ask two things. */
export const KINDS_OF_WISHES: Readonly<Record<string, Kind>> = {
  "knowledge/sleeps": kind("", "how many people can sleep here", () => [
    draft("capacity", "count", [goal(undefined)], { quantifier: "count", verb: "sleep" }),
  ]),
  "functional/what": kind("", "what can i use", ({ form }) => wish("function", "text", doingIn(form.text))),
  "implicit/activity": kind("", "where can i go", ({ form }) =>
    wish(has(form, "place", "room") ? "implicit" : "function", "position", doingIn(form.text)),
  ),
  "functional/action": kind("", "what should i do", ({ form }) =>
    wish("function", "text", complaintIn(form.text)),
  ),
  "implicit/ambience": kind("", "find me a place", ({ form }) =>
    wish("implicit", "position", moodIn(form.text)),
  ),
  "implicit/company": kind("", "find me a place where somebody is", () =>
    wish("implicit", "position", "a place where somebody is"),
  ),
  "knowledge/here": kind("", "what room is this", here),
  "global/house": kind("", "describe the house", () => [
    draft("describe", "text", [goal(undefined)], { level: "global" }),
  ]),
  "global/room": kind("room:room", "describe {room}", (found) => [
    draft("describe", "text", [thingIn(found, "room")], { level: "global" }),
  ]),
  "global/storage": kind("", "where are things stored in this house", () => [
    draft("describe", "text", [goal(undefined)], { level: "global", verb: "store" }),
  ]),
  "multimodal/another": kind("", "where is another one like this", () => [
    draft("locate", "position", [{ target: THIS, relations: [] }], { verb: "another" }),
  ]),
  "multimodal/first-seen": kind("", "when did you first see this", () => [
    draft("when", "time", [{ target: THIS, relations: [] }], { times: [{ kind: "first" }] }),
  ]),
  "multimodal/belongs": kind("", "where does this belong", () => [
    draft("belong", "position", [{ target: THIS, relations: [] }]),
  ]),
  "compound/height-when": kind(
    "thing:thing",
    "how tall is {thing}, and when did you last see it",
    both(about("size", "quantity", "height"), sightOf("last")),
  ),
  "compound/colour-room": kind(
    "thing:thing",
    "what colour is {thing}, and which room is it in",
    both(about("attribute", "text", "colour"), about("locate", "text", "room")),
  ),
  "compound/where-when": kind(
    "thing:thing",
    "where is {thing}, and when did you first see it",
    both(about("locate", "position"), sightOf("first")),
  ),
};

function both(...builders: Builder[]): Builder {
  return (found) => builders.flatMap((build) => build(found) ?? []);
}

function wish(
  asks: "function" | "implicit",
  answer: "text" | "position",
  verb: string | undefined,
): Draft[] | undefined {
  return verb === undefined || verb === ""
    ? undefined
    : [draft(asks, answer, [goal(undefined)], { verb, level: "implicit" })];
}
