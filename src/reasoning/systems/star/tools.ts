import type { z } from "zod";
import type { retrievalAgent } from "../../../models/prompts/star.ts";
import { cuesOf, type Retrieved } from "../../../retrieval/index.ts";
import { planOf, retrieveBy } from "../find.ts";
import type { SystemOptions } from "../system.ts";

export type Wanted = z.output<typeof retrievalAgent.output>;
export type Call = Wanted["calls"][number];

/** Captions that a search by place or time gives, as in ReMEmbR's tools, which the released code took over. */
const NEAREST = 4;
/** A search by time looks so far to either side, seconds. */
const AROUND_S = 30;
const ALL_CAPTIONS = { op: "all", kinds: ["caption"] } as const;
const DAY_US = 86_400e6;

/** A search made for the model, with its name in the results. */
export interface Searched {
  readonly cue: string;
  readonly retrieved: Retrieved;
}

/** The text calls of a round are the cues t₁…t_m of one retrieval (eq. 6); a place or a time is a search of its own. */
export async function searchBy(
  question: string,
  calls: readonly Call[],
  options: SystemOptions,
): Promise<Searched[]> {
  const cues = calls.flatMap(({ tool, query }) => (tool === "text" ? [String(query)] : []));
  const searched: Searched[] = [];
  if (cues.length > 0) searched.push(await byCues(question, cues, options));
  for (const call of calls) {
    const plan = planFor(call, options.nowUs);
    if (plan === undefined) continue;
    const retrieved = await retrieveBy("star", { text: question }, options, { plan });
    searched.push({ cue: `${call.tool} ${String(call.query)}`, retrieved });
  }
  return searched;
}

/** Words of calls that cannot be searched by, so that the model is told. */
export function unusable({ tool, query }: Call, nowUs: number): string | undefined {
  if (tool === "position" && !Array.isArray(query)) return "a position is [x, y, z]";
  if (tool === "time" && timeIn(String(query), nowUs) === undefined) return "a time is HH:MM:SS";
  if (tool === "text" && Array.isArray(query)) return "a text is words";
  return undefined;
}

async function byCues(question: string, cues: readonly string[], options: SystemOptions): Promise<Searched> {
  const asked = cuesOf(cues.join(" "));
  const { temporal, order } = cuesOf(question);
  const retrieved = await retrieveBy(
    "star",
    {
      text: options.mode === "paper" ? question : cues.join(", "),
      cues: { ...asked, phrases: [...cues], temporal, ...(order && { order }) },
    },
    options,
  );
  return { cue: cues.map((cue) => `“${cue}”`).join(", "), retrieved };
}

function planFor({ tool, query }: Call, nowUs: number) {
  if (tool === "position" && Array.isArray(query)) {
    const [x = 0, y = 0, z = 0] = query;
    return planOf("star/position", ALL_CAPTIONS, { op: "nearest", at: { x, y, z }, k: NEAREST });
  }
  const timeUs = tool === "time" ? timeIn(String(query), nowUs) : undefined;
  if (timeUs === undefined) return undefined;
  const [start, end] = [timeUs - AROUND_S * 1e6, timeUs + AROUND_S * 1e6];
  return planOf("star/time", ALL_CAPTIONS, { op: "during", start, end }, { op: "first", k: 2 * NEAREST });
}

/** A time as models write it: of the day of asking, or the day before where that is still to come; a date before it counts. */
export function timeIn(text: string, nowUs: number): number | undefined {
  const found = /(?:(\d{4}-\d{2}-\d{2})[ T])?(\d{1,2}):(\d{2})(?::(\d{2}))?/.exec(text);
  if (!found) return undefined;
  const [, date, hours, minutes, seconds = "0"] = found;
  const ofDayUs = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1e6;
  if (ofDayUs >= DAY_US) return undefined;
  if (date !== undefined) {
    const dayMs = Date.parse(`${date}T00:00:00Z`);
    return Number.isNaN(dayMs) ? undefined : dayMs * 1_000 + ofDayUs;
  }
  const atUs = Math.floor(nowUs / DAY_US) * DAY_US + ofDayUs;
  return atUs > nowUs ? atUs - DAY_US : atUs;
}
