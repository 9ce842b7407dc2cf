import { z } from "zod";
import type { FoundHit } from "../../../compose.ts";
import {
  count,
  pointText,
  round,
  rounded,
  spanText,
  timeText,
  titleOf,
} from "../../../operations/telling.ts";
import { quoted } from "../../../operations/world-text.ts";
import { type Believed, LociError, RECORD_KINDS, SYSTEM_NAMES } from "../../../schema/index.ts";
import { offsetOf, pageResult, type Row } from "../answer.ts";
import { cursor, id, moment, point, scene, tool, upTo, words } from "../tool.ts";
import { answerData, answerLines, evidenceRow } from "./answered.ts";

const PAGE = 10;
const MAX_PAGE = 50;
const MAX_HITS = 1_000;
/** An answer's evidence is for checking it; search returns more of it. */
const MAX_EVIDENCE = 12;

export const search = tool({
  name: "search",
  description:
    'Search everything remembered, by any mixture of meaning (text), place (near, within metres) and time. For things use kinds ["state"], for notes ["caption"], for pictures ["view"]. Best first, with ids.',
  does: "read",
  onMap: true,
  input: z.strictObject({
    text: words(1_000).optional(),
    near: point.optional(),
    within: z.number().positive().optional().describe("metres"),
    from: moment.optional(),
    to: moment.optional(),
    kinds: z.array(z.enum(RECORD_KINDS)).optional(),
    category: words(200).optional(),
    scene,
    limit: upTo(MAX_PAGE).optional(),
    cursor,
  }),
  async run({ cursor: at, limit = PAGE, category, ...query }, { face, signal }) {
    const offset = offsetOf(at);
    const { hits } = await face.search(
      {
        ...query,
        ...(category !== undefined && { category: [category] }),
        limit: Math.min(MAX_HITS, offset + limit + 1),
        believed: true,
      },
      { signal },
    );
    const shown = hits.slice(offset, offset + limit);
    const found = offset > 0 ? `Hits ${offset + 1} to ${offset + shown.length}` : count(shown.length, "hit");
    return pageResult({
      summary: shown.length === 0 ? "Nothing found." : `${found}, best first.`,
      rows: shown.map(hitRow),
      offset,
      hasMore: hits.length > offset + limit,
    });
  },
});

export const ask = tool({
  name: "ask",
  description:
    "Ask about the world in plain English: where things are, what changed, how many, when, how to get there. Answers with confidence, evidence ids and, where there is one, a position and a goal to drive to. Says so when it does not know.",
  does: "read",
  onMap: true,
  input: z.strictObject({
    question: words(1_000),
    now: moment.optional().describe("when it is asked; default the last moment remembered"),
    options: z.array(words(200)).max(26).optional().describe("choose one of these"),
    risk: z
      .number()
      .gt(0)
      .max(1)
      .optional()
      .describe("answer only if at most this share of answers is wrong"),
    system: z.enum(SYSTEM_NAMES).optional().describe("by a paper's system, in place of the default"),
    scene,
  }),
  async run({ question, ...settings }, { face, signal }) {
    const answer = await face.ask(question, settings, { signal });
    return pageResult({
      summary: answerLines(answer).join("\n"),
      rows: answer.evidence.slice(0, MAX_EVIDENCE).map(evidenceRow),
      data: answerData(answer),
    });
  },
});

export const record = tool({
  name: "record",
  description: "One record whole, by its id; with history every version of it, oldest first.",
  does: "read",
  input: z.strictObject({ id, history: z.boolean().optional(), cursor }),
  async run({ id: wanted, history = false, cursor: at }, { face }) {
    const offset = offsetOf(at);
    const versions = history ? await face.history(wanted) : [await face.record(wanted)];
    const rows = versions
      .filter((version) => version !== undefined)
      .map(
        (version): Row => ({
          line: `${titleOf(version)} ${version.kind} ${spanText(version)}, version ${version.version} of ${timeText(version.recordedAtUs)} by ${quoted(version.author)} [${version.id}]`,
          data: version,
        }),
      );
    if (rows.length === 0) throw new LociError("unknown-id", `there is no record ${quoted(wanted)}`);
    return pageResult({
      summary: history ? count(rows.length, "version") : "One record.",
      rows: rows.slice(offset),
      offset,
    });
  },
});

/** One hit: what, where, when, and the score of each key. */
function hitRow({ record: found, scores, position, believed }: FoundHit): Row {
  const where = position === undefined ? "" : ` at ${pointText(position)}`;
  const away = scores.distanceM === undefined ? "" : `, ${scores.distanceM.toFixed(2)} m away`;
  const name = "name" in found ? found.name : undefined;
  return {
    line: `${titleOf(found)} ${found.kind} ${spanText(found)}${where}${away} [${found.id}]${believed ? `; ${nowText(believed, found.id)}` : ""}`,
    data: {
      id: found.id,
      kind: found.kind,
      ...(name !== undefined && { name }),
      ...("trackId" in found && { trackId: found.trackId }),
      ...("category" in found && found.category !== undefined && { category: found.category }),
      text: found.text.slice(0, 8),
      when: spanText(found),
      ...(position && { position: rounded(position) }),
      ...(believed && { now: nowOf(believed) }),
      scores: Object.fromEntries(Object.entries(scores).map(([key, value]) => [key, round(value)])),
    },
  };
}

/** The current state of a thing, beside the record that was found of it. */
function nowText({ status, room, position, stateId, lastSeenUs }: Believed, foundId: string): string {
  const inRoom = room ? ` in ${quoted(room.name)}` : "";
  const at = position && stateId !== foundId ? ` at ${pointText(position)}` : "";
  if (status === "there") return `now${stateId === foundId ? " still there" : ""}${inRoom}${at}`;
  return `now ${status === "taken" ? "taken along" : status === "gone" ? "gone" : "not known where"}, last seen${inRoom}${at} ${timeText(lastSeenUs)}`;
}

function nowOf({ trackId, status, room, lastSeenUs, position }: Believed) {
  return {
    trackId,
    status,
    lastSeen: timeText(lastSeenUs),
    ...(room && { room: room.name }),
    ...(position && { position: rounded(position) }),
  };
}
