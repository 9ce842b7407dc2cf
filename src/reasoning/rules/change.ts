import { LIMITS } from "../../schema/core.ts";
import { evidenceOf, evidenceOfRecord, type Finding, type Rule, type RuleContext } from "../finding.ts";
import type { Need } from "../need.ts";
import { listOf, theName } from "../words/phrases.ts";
import { missing } from "./absence.ts";
import { trust } from "./places.ts";
import { resolve, roomsOf, spanOf } from "./resolve.ts";
import { type EventRecord, eventSpan } from "./times.ts";

/** What is different since a time; where something was before it was moved. */
export const change: Rule = async (need, context) => {
  const { recall } = context;
  const goal = need.subgoals[0]!;
  if (goal.target.head !== "object") return whereBefore(need, context);
  const span = spanOf(need, recall.nowUs) ??
    (await eventSpan(need, context)) ?? { fromUs: -LIMITS.timeUs, toUs: recall.nowUs + 1 };
  const types = /new|add|appear/.test(need.verb ?? "")
    ? ["appear"]
    : /missing|gone|remove|disappear|vanish|taken/.test(need.verb ?? "")
      ? ["disappear"]
      : /^move/.test(need.verb ?? "")
        ? ["move"]
        : ["move", "disappear", "appear", "state-change"];
  let events = (await recall.events(types, span)).filter(({ p }) => p >= 0.5);
  const rooms = goal.region ? await roomsOf(goal.region, context) : undefined;
  if (rooms) events = events.filter(({ regionId }) => rooms.some(({ id }) => id === regionId));
  const moved = new Set(
    events.filter(({ type }) => type === "move").map(({ detail }) => String(detail["trackId"])),
  );
  // What was moved has not disappeared.
  events = events.filter(
    ({ type, detail }) => type === "move" || type === "state-change" || !moved.has(String(detail["trackId"])),
  );
  if (events.length === 0)
    return {
      status: "answered",
      text: "nothing that I noticed",
      set: [],
      evidence: [],
      confidence: 0.5,
      ...(need.answer === "binary" && { binary: false }),
    };
  const names = await namesOf(events, context);
  return {
    status: "answered",
    ...(need.answer === "binary" && { binary: true }),
    text: listOf(events.map((event, n) => sayChange(event, names[n]!))),
    set: [...new Set(names)].slice(0, 64),
    evidence: events
      .slice(0, 12)
      .map((event) => evidenceOfRecord(event, event.text[0] ?? event.type, event.p)),
    confidence: 0.65,
  };
};

async function namesOf(events: readonly EventRecord[], { recall }: RuleContext): Promise<string[]> {
  const records = await recall.options.reader.get(events.map(({ who, id }) => who.at(-1) ?? id));
  return records.map((record, n) =>
    record?.kind === "state" ? record.name : (events[n]!.text[0] ?? "something"),
  );
}

function sayChange({ type, detail }: EventRecord, name: string): string {
  if (type === "state-change") return `the ${name} is now ${String(detail["to"])}`;
  return type === "move"
    ? `the ${name} was moved`
    : type === "appear"
      ? `the ${name} is new`
      : `the ${name} is gone`;
}

async function whereBefore(need: Need, context: RuleContext): Promise<Finding> {
  const goal = need.subgoals[0]!;
  const { recall } = context;
  const found = await resolve(goal, { ...need, times: [] }, context);
  const thing = found.things[0];
  if (!thing) return missing(goal, found, need, context);
  const stays = await recall.stays(thing.trackId);
  const was = need.verb === "before" ? stays.at(-2) : stays.at(-1);
  if (need.answer === "binary") {
    const yes =
      stays.length > 1 ||
      stays.some(({ state }) => state.validToUs !== null && state.validToUs <= recall.nowUs);
    return {
      status: "answered",
      binary: yes,
      text: yes ? "yes" : "no",
      evidence: [evidenceOf(thing, theName(thing))],
      confidence: 0.65,
      goal: thing,
    };
  }
  if (!was)
    return {
      status: "answered",
      text: `it has not moved: ${(await recall.roomOf(thing))?.name ?? "as before"}`,
      evidence: [evidenceOf(thing, theName(thing))],
      confidence: 0.4,
      ...(thing.position && { position: { point: thing.position, trackId: thing.trackId } }),
    };
  const room = await recall.roomOf(was);
  const [support] = was.state.supportedBy ? await recall.options.reader.get([was.state.supportedBy]) : [];
  const text = [
    support?.kind === "state" ? `on the ${support.category}` : "",
    room ? `in the ${room.name}` : "",
  ]
    .filter((part) => part !== "")
    .join(" ");
  return {
    status: "answered",
    text: text || "elsewhere",
    ...(was.position && {
      position: { point: was.position, trackId: thing.trackId, ...(room && { region: room.name }) },
    }),
    evidence: stays.slice(-3).map((stay) => evidenceOf(stay, theName(stay))),
    confidence: 0.7 * (await trust(thing, found, context)),
    goal: was,
  };
}
