import { type Draft, draft, goal, UNKNOWN } from "../ask-kinds.ts";
import { about, type Builder, sightOf, thingIn } from "./build.ts";
import { type Kind, kind } from "./kind.ts";
import { has } from "./roles.ts";
import { complaintIn, doingIn, moodIn } from "./wishes.ts";

const THIS = { ...UNKNOWN, deixis: "this" as const };

/** What is in a question that asks for others, or for how things are kept, whatever else it says. */
const COMPANY = /\b(?:alone|lonely|company|others|chat|gossip|talk|each other|gathering|party|crowd)\b/;
const STORES =
  /\b(?:cupboards?|cabinets?|shel(?:f|ves)|drawers?|wardrobes?|closets?|stuff|things|items|goods)\b/;

/** Something is shown, or spoken of as if it were. */
const SHOWN =
  /\b(?:this|these|that|those|it|its|one|another|shown|such|same|similar|like|thing|item|object)\b/;

const here: Builder = ({ form }) =>
  has(form, "room", "you", "i", "this", "house", "place", "it")
    ? [draft("room", "text", [goal(undefined)])]
    : undefined;

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
  "implicit/company": kind("", "find me a place where somebody is", ({ form }) =>
    has(form, "somebody", "people", "talk") || COMPANY.test(form.text)
      ? wish("implicit", "position", "a place where somebody is")
      : undefined,
  ),
  "knowledge/here": kind("", "what room is this", here),
  "global/house": kind("", "describe the house", () => [
    draft("describe", "text", [goal(undefined)], { level: "global" }),
  ]),
  "global/room": kind("room:room", "describe {room}", (found) => [
    draft("describe", "text", [thingIn(found, "room")], { level: "global" }),
  ]),
  "global/storage": kind("", "where are things stored in this house", ({ form }) =>
    has(form, "keep", "put", "belongings", "belong", "hold", "list") || STORES.test(form.text)
      ? [draft("describe", "text", [goal(undefined)], { level: "global", verb: "store" })]
      : undefined,
  ),
  "multimodal/another": kind("", "where is another one like this", ({ form }) =>
    SHOWN.test(form.text)
      ? [draft("locate", "position", [{ target: THIS, relations: [] }], { verb: "another" })]
      : undefined,
  ),
  "multimodal/first-seen": kind("", "when did you first see this", ({ form }) =>
    SHOWN.test(form.text)
      ? [draft("when", "time", [{ target: THIS, relations: [] }], { times: [{ kind: "first" }] })]
      : undefined,
  ),
  "multimodal/belongs": kind("", "where does this belong", ({ form }) =>
    SHOWN.test(form.text) ? [draft("belong", "position", [{ target: THIS, relations: [] }])] : undefined,
  ),
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
