import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ingestInto } from "../../compose/ingest.ts";
import { openEyes } from "../../compose/ingest-eyes.ts";
import { type Memory, openMemory } from "../../compose/memory.ts";
import { isKindOf } from "../../ontology/index.ts";
import { contentId, throwIfAborted } from "../../schema/index.ts";
import { type Frame, openRecording, type RecordingItem, type RecordingReader } from "../../sensors/index.ts";
import { recordHouse, TRUTH_FILE } from "../../world/recorder/index.ts";
import { matchTracks } from "../tracking/identity.ts";
import { type Look, readLooks } from "../tracking/looks.ts";
import { currentState } from "../tracking/places.ts";
import type { Ratio } from "../tracking/ratio.ts";
import { type Remembered, readRemembered } from "../tracking/remembered.ts";
import { readTruth, type Truth } from "../tracking/truth.ts";

export interface EyesEvalOptions {
  readonly seeds: readonly (number | string)[];
  readonly minutes?: number;
  readonly fps?: number;
  readonly noise?: number;
  readonly rooms?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (line: string) => void;
}

/** One way of seeing one house, as counts. */
export interface EyesScore {
  readonly seed: string;
  readonly seen: "masks" | "eyes";
  readonly tracks: number;
  readonly precision: Ratio;
  readonly recall: Ratio;
  /** Tracks of things that have a name; of those, the right ones. */
  readonly named: Ratio;
  readonly namesRight: Ratio;
  readonly framesPerS: number;
}

export interface EyesReport {
  readonly settings: { readonly minutes: number; readonly fps: number; readonly noise: number };
  readonly scores: readonly EyesScore[];
}

/** A detection is of the thing that has this share of its pixels. */
const MOST = 0.5;
const AT_ONCE = 512;
/** Smaller things are not asked for. */
const LEAST_M = 0.1;
/** As cameras on robots are: not as wide as the simulator's usual one, which shows little of anything. */
const CAMERA = { size: { width: 320, height: 240 }, horizontalFovDeg: 70 } as const;

/**
 * The same houses remembered twice: with the masks of the simulator, and by our own eyes from colour and depth alone.
 * Same options, same report.
 */
export async function evaluateEyes(options: EyesEvalOptions): Promise<{ report: EyesReport; text: string }> {
  const { minutes = 3, fps = 2, noise = 0.5, signal, onProgress } = options;
  const scores: EyesScore[] = [];
  for (const seed of options.seeds) {
    throwIfAborted(signal);
    const folder = await mkdtemp(join(tmpdir(), "loci-eyes-"));
    try {
      onProgress?.(`house ${seed}: simulating`);
      const out = join(folder, "recording");
      const rooms = options.rooms === undefined ? {} : { rooms: options.rooms };
      await recordHouse(
        { family: "house", seed, minutes, fps, noise, out, ...rooms, ...CAMERA },
        signal ? { signal } : {},
      );
      const truth = await readTruth(join(out, TRUTH_FILE));
      for (const seen of ["masks", "eyes"] as const) {
        onProgress?.(`house ${seed}: ${seen}`);
        scores.push(await scoreSeen(out, join(folder, seen), truth, seen));
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  const report = { settings: { minutes, fps, noise }, scores };
  return { report, text: tableOf(report) };
}

async function scoreSeen(
  source: string,
  folder: string,
  truth: Truth,
  seen: EyesScore["seen"],
): Promise<EyesScore> {
  const memory = await openMemory(folder);
  const startedMs = performance.now();
  try {
    const recording = await openRecording(source);
    const segments = new Map<string, number>();
    const shown = seen === "eyes" ? await blindfolded(recording, segments) : recording;
    const { frames } = await ingestInto(memory, shown).finally(() => recording.close());
    const framesPerS = frames / ((performance.now() - startedMs) / 1_000);
    return { ...(await countedIn(memory, truth, seen === "eyes" ? segments : undefined)), seen, framesPerS };
  } finally {
    await memory.close();
  }
}

/** A recording whose masks are withheld and seen by our own eyes; which masks they found is noted by detection. */
async function blindfolded(
  recording: RecordingReader,
  segments: Map<string, number>,
): Promise<RecordingReader> {
  const eyes = (await openEyes({ detector: "eyes" }))!;
  const withheld = new Map<number, Frame>();
  async function* bare(): AsyncGenerator<RecordingItem> {
    for await (const item of recording.items()) {
      if (item.kind !== "frame") {
        yield item;
        continue;
      }
      const { masks: _masks, detections: _detections, ...rest } = item.frame;
      withheld.set(item.frame.index, item.frame);
      yield { kind: "frame", frame: rest };
    }
  }
  return {
    ...recording,
    close: () => eyes.close(),
    async *items() {
      for await (const item of eyes.through!(bare(), async () => true)) {
        if (item.kind === "frame") {
          noteSegments(item.frame, withheld.get(item.frame.index)!, segments);
          withheld.delete(item.frame.index);
        }
        yield item;
      }
      await eyes.close();
    },
  };
}

/** For each detection of a frame the true segment that has most of its pixels. */
function noteSegments(seen: Frame, truth: Frame, segments: Map<string, number>): void {
  if (!seen.masks || !truth.masks) return;
  const counts = new Map<number, Map<number, number>>();
  for (let at = 0; at < seen.masks.data.length; at++) {
    const number = seen.masks.data[at]!;
    if (number === 0) continue;
    const own = counts.get(number) ?? new Map<number, number>();
    counts.set(number, own.set(truth.masks.data[at]!, (own.get(truth.masks.data[at]!) ?? 0) + 1));
  }
  seen.detections?.forEach(({ mask }, n) => {
    const own = [...(counts.get(mask ?? 0) ?? [])].sort((a, b) => b[1] - a[1]);
    const all = own.reduce((sum, [, count]) => sum + count, 0);
    const [best = 0, count = 0] = own[0] ?? [];
    segments.set(detectionIdOf(seen, n), count > MOST * all ? best : 0);
  });
}

function detectionIdOf({ agentId, sensorId, timeUs }: Frame, n: number): string {
  return contentId("det", contentId("obs", "default", agentId, sensorId, timeUs), n);
}

async function countedIn(
  memory: Memory,
  truth: Truth,
  segments: ReadonlyMap<string, number> | undefined,
): Promise<Omit<EyesScore, "seen" | "framesPerS">> {
  const reader = await memory.reader();
  const remembered = await readRemembered(reader);
  const looks = segments
    ? await looksOf(memory, truth, remembered, segments)
    : (await readLooks(reader, truth, remembered)).looks;
  const matching = matchTracks(remembered, looks);
  const isAsked = (id: string) => {
    const { extent } = truth.placementAt(id, truth.document.startUs)?.placement ?? {};
    return extent === undefined || Math.max(extent.x, extent.y, extent.z) >= LEAST_M;
  };
  const asked = truth.things.filter(({ id }) => truth.isCountable(id) && isAsked(id));
  let [named, right] = [0, 0];
  for (const [trackId, thingId] of matching.thingOf) {
    const category = currentState(remembered.tracks.get(trackId)!)?.record.category;
    const { category: real } = truth.thing(thingId)!;
    if (category === undefined || category === "thing") continue;
    named++;
    if (category === real || isKindOf(real, category) || isKindOf(category, real)) right++;
  }
  return {
    seed: String(truth.document.settings.seed),
    tracks: remembered.tracks.size,
    precision: { hits: matching.thingOf.size, total: remembered.tracks.size },
    recall: { hits: asked.filter(({ id }) => matching.trackOf.has(id)).length, total: asked.length },
    named: { hits: named, total: matching.thingOf.size },
    namesRight: { hits: right, total: named },
  };
}

/** Detections of our eyes with the things that they are of; null for one that is mostly of none. */
async function looksOf(
  memory: Memory,
  truth: Truth,
  remembered: Remembered,
  segments: ReadonlyMap<string, number>,
): Promise<Look[]> {
  const reader = await memory.reader();
  const ids = [...segments.keys()];
  const looks: Look[] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    for (const record of await reader.get(ids.slice(from, from + AT_ONCE))) {
      if (record?.kind !== "detection" || record.stateId === undefined) continue;
      const frame = truth.frameAt(record.author, record.validFromUs);
      const trackId = remembered.states.get(record.stateId)?.trackId;
      if (!frame || trackId === undefined) continue;
      const segment = segments.get(record.id)!;
      looks.push({
        frame,
        segment,
        thing: frame.segments[segment - 1] ?? null,
        stateId: record.stateId,
        trackId,
      });
    }
  }
  return looks.sort((a, b) => a.frame.trueUs - b.frame.trueUs || a.segment - b.segment);
}

function tableOf({ settings, scores }: EyesReport): string {
  const share = ({ hits, total }: Ratio) =>
    total === 0 ? "–" : `${(hits / total).toFixed(2)} (${hits}/${total})`;
  const sum = (seen: EyesScore["seen"], key: "precision" | "recall" | "named" | "namesRight"): Ratio =>
    scores
      .filter((score) => score.seen === seen)
      .reduce((all, score) => ({ hits: all.hits + score[key].hits, total: all.total + score[key].total }), {
        hits: 0,
        total: 0,
      });
  const rows = (["masks", "eyes"] as const).map(
    (seen) =>
      `| ${seen} | ${share(sum(seen, "recall"))} | ${share(sum(seen, "precision"))} | ${share(sum(seen, "named"))} | ${share(sum(seen, "namesRight"))} |`,
  );
  return [
    `${new Set(scores.map(({ seed }) => seed)).size} houses, ${settings.minutes} minutes each, noise ${settings.noise}; things of ${LEAST_M * 100} cm and more`,
    "| seen by | recall | precision | tracks with a name | names right |",
    "|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}
