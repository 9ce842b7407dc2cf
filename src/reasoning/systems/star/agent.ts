import { answerWriter, retrievalAgent } from "../../../models/prompts/star.ts";
import type { Evidence } from "../../../retrieval/index.ts";
import { tokensOf } from "../../../retrieval/ranking/budget.ts";
import { ShortIds } from "../../evidence/index.ts";
import { clock } from "../../loop/live.ts";
import { planOf, recordsBy, retrieveBy, together } from "../find.ts";
import { framesShown, type ShownFrame } from "../model/keyframes.ts";
import { numbered } from "../model/lines.ts";
import type { ModelRun } from "../model/model-run.ts";
import { type ModelSaid, once } from "../model/said.ts";
import { standText } from "../model/stand.ts";
import { Things } from "../model/things.ts";
import { letterOf } from "../model/words.ts";
import type { SystemOptions } from "../system.ts";
import { type Call, type Searched, searchBy, timeIn, unusable } from "./tools.ts";

/** "Up to three reasoning rounds" (§IV of the paper). */
const ROUNDS = 3;
const MOST_ROUNDS = 6;
/** A picture is taken from within so many seconds of the moment that was named, as a caption is three seconds long. */
const WITHIN_S = 3;
/** Tokens that all results together may take. */
const TOKENS = 6_000;
const QUESTION_IMAGES = 4;

/** The agent's results so far, under stable ids. */
interface Desk {
  readonly ids: ShortIds;
  readonly things: Things;
  /** Captions by their short ids, in the order found. */
  readonly captions: Map<string, Evidence>;
  /** The best place that a caption had in any search. */
  readonly ranks: Map<string, number>;
  /** The members of clusters: the subjects of the searches. */
  readonly relevant: Set<string>;
  /** The searches and their results, one line each. */
  readonly log: string[];
}

/** STaR's agent: rounds of cues, then the moments to look at, then the answer. */
export async function searchAndWrite(run: ModelRun): Promise<ModelSaid> {
  const { question, options } = run;
  const ids = new ShortIds();
  const desk: Desk = {
    ids,
    things: new Things(ids),
    captions: new Map(),
    ranks: new Map(),
    relevant: new Set(),
    log: [],
  };
  const rounds = Math.min(MOST_ROUNDS, Math.max(1, options.rounds ?? ROUNDS));
  const pose = await standText(options);
  const images = run.liveImages.slice(0, QUESTION_IMAGES);
  const asked = {
    question,
    now: clock(options.nowUs),
    pose,
    images: images.length,
    ...(options.options && { options: [...options.options] }),
  };
  const made = new Set<string>();
  let moments: readonly string[] = [];
  // The last turn has no searches left: it names the moments.
  for (let left = rounds; left >= 0; left--) {
    const results = await resultsText(desk, options);
    const wanted = await run.ask(
      retrievalAgent,
      { ...asked, results, roundsLeft: left, canLook: run.vision },
      images,
    );
    moments = wanted.timestamps;
    const calls = left > 0 ? newCalls(wanted.calls, made, desk, options) : [];
    if (wanted.calls.length === 0) break;
    if (calls.length > 0) await search(calls, run, desk);
  }
  const keyframes = run.vision ? await keyframesAt(moments, desk, run) : [];
  const written = await run.ask(
    answerWriter,
    {
      ...asked,
      captions: await resultsText(desk, options),
      keyframes: keyframes.map(({ caption }) => caption),
    },
    [...images, ...keyframes.map(({ image }) => image)],
  );
  const byId = (id: string | null | undefined) => {
    const mark = /[ct]\d+/.exec(id ?? "")?.[0] ?? "";
    return desk.captions.get(mark) ?? desk.things.byId(mark);
  };
  const cited = once(written.cited.flatMap((id) => byId(id) ?? []));
  const subject = byId(written.recordId) ?? cited[0];
  const { text, status, confidence, durationS } = written;
  const choice = options.options && letterOf(written.choice ?? text, options.options);
  return {
    type: choice === undefined ? written.type : "choice",
    status,
    text,
    ...(written.binary != null && { binary: written.binary }),
    ...(written.count != null && { count: written.count }),
    ...(choice !== undefined && { choice }),
    ...(durationS != null && { durationS }),
    subject,
    cited,
    confidence,
    notes: [written.reasoning],
  };
}

/** The new and valid calls; the others are reported to the model. */
function newCalls(calls: readonly Call[], made: Set<string>, desk: Desk, { nowUs }: SystemOptions): Call[] {
  return calls.filter((call) => {
    const key = `${call.tool} ${String(call.query).toLowerCase()}`;
    const problem = made.has(key) ? "was searched before" : unusable(call, nowUs);
    if (problem !== undefined) desk.log.push(`${key}: ${problem}.`);
    made.add(key);
    return problem === undefined;
  });
}

async function search(calls: readonly Call[], run: ModelRun, desk: Desk): Promise<void> {
  const searches = await searchBy(run.question, calls, run.options);
  run.found(together(searches));
  for (const one of searches) await keep(one, desk, run.options);
  run.show(await recordsBy([...desk.relevant], run.options));
}

async function keep({ cue, retrieved }: Searched, desk: Desk, options: SystemOptions): Promise<void> {
  await desk.things.read(retrieved.items, options);
  const ids = retrieved.items.map((item, rank) => {
    const id = desk.ids.of(item.id, "caption");
    desk.captions.set(id, item);
    desk.ranks.set(id, Math.min(rank, desk.ranks.get(id) ?? rank));
    return id;
  });
  const clusters = retrieved.clusters.map(({ states }) => {
    for (const id of states) desk.relevant.add(id);
    return [...new Set(states.flatMap((id) => desk.things.idOf(id) ?? []))].join(" ");
  });
  const groups = clusters.filter((one) => one !== "");
  desk.log.push(
    `${cue}: ${ids.length === 0 ? "nothing" : ids.join(" ")}.` +
      (groups.length > 0 ? ` Clusters of things: ${groups.map((one) => `{${one}}`).join(" ")}.` : "") +
      (retrieved.weak ? " Nothing stands out; it may not have been seen." : ""),
  );
}

/** The searches, and the captions found: the best of every search first, whole, as far as there is room. */
async function resultsText(desk: Desk, options: SystemOptions): Promise<string> {
  const { captions, ranks, things, relevant, log } = desk;
  const lines = new Map<string, string>();
  let left = TOKENS;
  for (const [id, item] of [...captions].sort(([a], [b]) => ranks.get(a)! - ranks.get(b)!)) {
    const more = (one: Evidence) => things.of(one, relevant);
    const { text } = await numbered([item], options, { more, tokens: left });
    if (text === "") break;
    lines.set(id, text.replace(/^\[1\]/, `[${id}]`));
    left -= tokensOf(text);
  }
  const unshown = captions.size - lines.size;
  const cut =
    unshown > 0 ? [`${lines.size} of ${captions.size} captions shown, the best of every search.`] : [];
  return [...log, ...[...captions.keys()].flatMap((id) => lines.get(id) ?? []), ...cut].join("\n");
}

/** The kept views of the moments named, numbered by things: R_img(T*). Where none is near enough, that of the caption then. */
async function keyframesAt(moments: readonly string[], desk: Desk, run: ModelRun): Promise<ShownFrame[]> {
  const { nowUs } = run.options;
  const times = moments.flatMap((moment) => timeIn(moment, nowUs) ?? []);
  if (times.length === 0) return [];
  const plan = planOf("star/keyframes", { op: "viewsAt", times, withinS: WITHIN_S });
  const found = await retrieveBy("star", { text: run.question }, run.options, { plan });
  const missing = found.items.length > 0 ? [] : await viewsOfCaptions(times, desk, run.options);
  const views = once([...found.items, ...missing]);
  run.found(together([{ cue: `look at ${moments.join(", ")}`, retrieved: { ...found, items: views } }]));
  await desk.things.read(views, run.options);
  return framesShown(views, run.options, desk.ids);
}

async function viewsOfCaptions(
  times: readonly number[],
  desk: Desk,
  options: SystemOptions,
): Promise<readonly Evidence[]> {
  const captions = [...desk.captions.values()].map(({ record }) => record);
  const ids = times.flatMap((time) => {
    const [nearest] = captions.toSorted(
      (a, b) => Math.abs(a.validFromUs - time) - Math.abs(b.validFromUs - time),
    );
    return nearest?.kind === "caption" ? (nearest.views[0] ?? []) : [];
  });
  return recordsBy(ids, options);
}
