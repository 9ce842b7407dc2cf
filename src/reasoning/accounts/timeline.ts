import { setImmediate as breathe } from "node:timers/promises";
import type { Belief } from "../../belief/belief.ts";
import { eachHit } from "../../memory/index.ts";
import type { LifeEvent, Timeline } from "../../schema/core.ts";
import { eventOf } from "./life.ts";

const BUCKETS = 60;
const LISTED = 200;
/** The most events counted; the later ones beyond that are left out, with a note. */
const MOST_EVENTS = 50_000;

export interface TimelineRequest {
  readonly fromUs: number;
  readonly toUs: number;
  readonly buckets?: number | undefined;
  readonly types?: readonly string[] | undefined;
  readonly limit?: number | undefined;
}

/** Events over time: counted in equal steps of a span, with the number of observations in each. */
export async function timelineOf(memory: Belief, request: TimelineRequest): Promise<Timeline> {
  const { fromUs, types, buckets: count = BUCKETS, limit = LISTED } = request;
  const toUs = Math.max(request.toUs, fromUs + 1);
  const stepUs = Math.max(1, Math.ceil((toUs - fromUs) / count));
  const { reader, sceneId, signal } = memory.options;
  const scene = sceneId === undefined ? {} : { sceneId: [sceneId] };
  const buckets: Timeline["buckets"] = [];
  for (let at = fromUs; at < toUs; at += stepUs) {
    const time = { after: at, overlaps: { fromUs: at, toUs: Math.min(at + stepUs, toUs) } };
    const looks = await reader.count(
      { kinds: ["observation"], where: scene, time },
      signal ? { signal } : {},
    );
    buckets.push({ fromUs: at, looks, events: {} });
    await breathe();
  }
  const where = { ...scene, ...(types && { category: types }) };
  const events: LifeEvent[] = [];
  let counted = 0;
  for await (const hit of eachHit(reader, "event", { where, time: { after: fromUs } })) {
    const { validFromUs, type } = hit.record;
    if (validFromUs >= toUs || counted >= MOST_EVENTS) break;
    counted++;
    const bucket = buckets[Math.floor((validFromUs - fromUs) / stepUs)]!;
    bucket.events[type] = (bucket.events[type] ?? 0) + 1;
    events.push(eventOf(hit));
    if (events.length > 2 * limit) events.splice(0, events.length - limit);
  }
  return {
    fromUs,
    toUs,
    stepUs,
    buckets,
    events: limit === 0 ? [] : events.slice(-limit),
    isCut: counted >= MOST_EVENTS,
  };
}
