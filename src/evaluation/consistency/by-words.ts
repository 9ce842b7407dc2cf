import type { AnswerRecord } from "../../schema/index.ts";
import type { Claims } from "./claims.ts";
import { type Scope, type Subject, second, yes } from "./subjects.ts";

/** Asks in English, through any face. */
export type Asks = (question: string) => Promise<AnswerRecord>;

/** The beginning of an answer that a thing is no longer in its place. */
const AWAY = /^(?:gone|carried off)\b/;
/** In a long list only the first are named. */
const CUT = /\b(?:more|others)\b/;
const UNKNOWN = /where it is now I do not know/;

/** The belief about each thing, which every face must agree with. */
export async function byBelief(claims: Claims, { track, standing, room, isMover }: Subject): Promise<void> {
  const say = (aspect: string, value: string) =>
    claims.add({ subject: track, aspect, face: "belief", value });
  say("known", "yes");
  say("last seen", second(standing.lastSeenUs));
  if (!isMover && standing.status !== "unknown") say("there", yes(standing.status === "there"));
  if (room && standing.status === "there") say("room name", room.name);
}

/** Questions about a thing in English, by a distinguishing description; for movers only where and when. */
export async function byWords(
  claims: Claims,
  subject: Subject,
  ask: Asks,
  scope: Scope,
  { face = "", isBrief = false }: { readonly face?: string; readonly isBrief?: boolean } = {},
): Promise<void> {
  const { track, words, standing, room, isMover, thing } = subject;
  if (words === undefined) return;
  const say = (aspect: string, question: string, value: string | undefined) => {
    if (value !== undefined) claims.add({ subject: track, aspect, face: `${face}${question}`, value });
  };
  const truth = async (aspect: string, question: string, told: (is: boolean) => string) => {
    const { binary } = await ask(question);
    say(aspect, question, binary === undefined ? undefined : told(binary));
  };
  const where = `Where is ${words}?`;
  const answer = await ask(where);
  const meant = answer.position?.trackId ?? answer.evidence[0]?.trackId;
  say("known", where, meant === undefined ? answer.status : meant === track ? "yes" : `took it for ${meant}`);
  if (meant !== track) return;
  const isThere = !AWAY.test(answer.text);
  if (!isMover && !UNKNOWN.test(answer.text)) say("there", where, yes(isThere));
  if (standing.status === "there" && room) say("room name", where, answer.position?.region);
  if (isBrief) return;
  const when = `When did you last see ${words}?`;
  const seen = (await ask(when)).time;
  say("last seen", when, seen && second(seen.untilUs ?? seen.atUs));
  if (isMover || standing.status === "unknown") return;
  await truth("there", `Is ${words} still there?`, yes);
  await truth("there", `Has ${words} gone?`, (is) => yes(!is));
  if (standing.status !== "there") return;
  if (room) {
    if (!words.includes(" in the "))
      await truth("room name", `Is ${words} in the ${room.name}?`, (is) => (is ? room.name : "elsewhere"));
    const which = `Which room is ${words} in?`;
    say("room name", which, (await ask(which)).position?.region);
  }
  const openness = thing.state.attributes["openness"]?.value;
  if (openness === "open" || openness === "closed") {
    say("openness", "belief", openness);
    await truth("openness", `Is ${words} open?`, (is) => (is ? "open" : "closed"));
    await truth("openness", `Is ${words} closed?`, (is) => (is ? "closed" : "open"));
  }
  await aboutHolder(subject, say, ask, truth, scope);
}

/** Its support or container, by the question about the thing and by the question about the holder. */
async function aboutHolder(
  { track, words, thing }: Subject,
  say: (aspect: string, question: string, value: string | undefined) => void,
  ask: Asks,
  truth: (aspect: string, question: string, told: (is: boolean) => string) => Promise<void>,
  { memory }: Scope,
): Promise<void> {
  const { heldBy } = thing;
  const holder = heldBy && (await memory.thingOfState(heldBy.stateId, 1));
  if (!heldBy || !holder || (await memory.standing(holder)).status !== "there") return;
  const others = await memory.ofCategory(holder.category);
  if (others.length !== 1) return;
  const { relation } = heldBy;
  const name = `the ${holder.category}`;
  const value = `${relation} ${heldBy.trackId}`;
  say("held", "belief", value);
  await truth("held", `Is ${words} ${relation} ${name}?`, (is) => (is ? value : "elsewhere"));
  const what = `What is ${relation} ${name}?`;
  const { evidence, text, status } = await ask(what);
  const isNamed = evidence.some(({ trackId }) => trackId === track) || text.includes(thing.category);
  if (status === "answered" && !CUT.test(text)) say("held", what, isNamed ? value : "not named");
}
