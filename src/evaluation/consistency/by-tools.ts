import { LoopMemory } from "../../reasoning/loop/loop-memory.ts";
import { ToolRunner } from "../../reasoning/loop/tools.ts";
import type { Claims } from "./claims.ts";
import { type Scope, type Subject, second, yes } from "./subjects.ts";

/** Calls a tool of the MCP server as a client does, and returns its data. */
export type CallsTool = (
  name: string,
  input: Readonly<Record<string, unknown>>,
) => Promise<{
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}>;

type Item = Readonly<Record<string, unknown>>;

/** MCP tools about one thing: the search's cards, its life, and the question of its place. */
export async function byMcp(claims: Claims, subject: Subject, call: CallsTool): Promise<void> {
  const { track, thing, words, standing, isMover, room } = subject;
  const say = (aspect: string, face: string, value: string) =>
    claims.add({ subject: track, aspect, face: `MCP ${face}`, value });
  const here = { near: thing.position, within: 0.5, kinds: ["state"], limit: 50 };
  const found = thing.position ? await call("search", { ...here, category: thing.category }) : undefined;
  const items = (found?.data["items"] ?? []) as readonly Item[];
  const card = items.map(({ now }) => now as Item | undefined).find((now) => now?.["trackId"] === track);
  if (card) {
    const status = String(card["status"]);
    if (!isMover && status !== "unknown") say("there", "search", yes(status === "there"));
    if (status === "there" && typeof card["room"] === "string") say("room name", "search", card["room"]);
    say("last seen", "search", second(Date.parse(String(card["lastSeen"])) * 1_000));
  }
  const life = await call("life", { thing: track });
  if (!isMover) say("there", "life", yes(life.data["isThere"] === true));
  if (words === undefined) return;
  const told = await call("ask", { question: `Where is ${words}?` });
  const position = told.data["position"] as Item | undefined;
  if (standing.status === "there" && room && position)
    say("room name", `ask "Where is ${words}?"`, String(position["region"]));
}

/** The tools of a language model, each called as a model does: with a room and without. */
export async function byModelTools(claims: Claims, subject: Subject, scope: Scope): Promise<void> {
  const { track, thing, standing, room, isMover } = subject;
  if (isMover || standing.status !== "there") return;
  const { reader, embedder, background, sceneId, nowUs } = scope.memory.options;
  const tools = async (tool: string, input: object) => {
    const memory = new LoopMemory({ reader, embedder, background, sceneId, nowUs });
    const [result] = await new ToolRunner(memory).run([{ tool, input }]);
    const { records = [], ...facts } = JSON.parse(result!.text) as { records?: string[] } & Item;
    const short = memory.evidence.ids.known(thing.trackId);
    return { line: records.find((one) => one.startsWith(`${short} `)), records, facts };
  };
  const say = (aspect: string, face: string, value: string | undefined) => {
    if (value !== undefined) claims.add({ subject: track, aspect, face, value });
  };
  const text = thing.name;
  const anywhere = await tools("search_objects", { text, limit: 64 });
  say("room name", "search_objects", roomIn(anywhere.line));
  say("openness", "search_objects", openness(anywhere.line));
  say("there", "search_objects", anywhere.line && yes(!/gone by/.test(anywhere.line)));
  const own = await tools("search", { text: track });
  say("room name", "search by id", roomIn(own.line));
  if (!room) return;
  const inside = await tools("search_objects", { text, room: room.id, limit: 64 });
  say("room name", "search_objects in its room", roomIn(inside.line));
  say("openness", "search_objects in its room", openness(inside.line));
  const contents = await tools("room", { room: room.id });
  const counts = contents.facts["contents"] as Readonly<Record<string, number>> | undefined;
  const kinds = `${thing.category} in ${room.id}`;
  if (counts?.[thing.category] !== undefined) {
    claims.add({
      subject: kinds,
      aspect: "count",
      face: "room",
      value: String(counts[thing.category]),
    });
  }
}

function roomIn(line: string | undefined): string | undefined {
  const room = line?.split(" · ")[1]?.replace(/ r\d+$/, "");
  return room === "room unknown" ? undefined : room;
}

function openness(line: string | undefined): string | undefined {
  // Of a state that changed, the last value is the current one.
  return line && [...line.matchAll(/(?:· |, |then )(open|closed)\b/g)].at(-1)?.[1];
}
