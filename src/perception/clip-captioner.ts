import type { Captioner } from "../models/index.ts";
import { contentId, LIMITS, type Percept, type TrackedFrame } from "../schema/core.ts";
import {
  addFrame,
  type CaptionInput,
  type ClipContext,
  emptyWindow,
  placesOf,
  type Window,
} from "./clip-window.ts";
import { encodeJpeg } from "./pictures.ts";
import { type SceneThing, sceneLines, sentencesOf } from "./scene-text.ts";

export interface ClipOptions {
  readonly windowUs?: number;
  /** Captions the pictures of the clip; without it, or when it fails, the text comes from the states. */
  readonly captioner?: Captioner;
}

const WINDOW_US = 3_000_000;
/** Packets are late by seconds; a larger step back means that the clock was set, and time continues from there. */
const JUMP_US = 60_000_000;
const LINES = 12;
const LINE_CHARS = 1_000;
const IMAGE_SIDE_PX = 512;

/**
 * A caption for every three seconds of every agent (docs/formulas.md#taking-in): what was visible, by state ids, from
 * where, and a text from the recording, else from the captioner, else from a template. A frame that comes after its
 * window was closed gets its own caption, so written captions never change.
 */
export class ClipCaptioner {
  readonly #windowUs: number;
  readonly #captioner: Captioner | undefined;
  /** Open windows by agent and number of the window. */
  readonly #open = new Map<string, Map<number, Window>>();
  readonly #latestUs = new Map<string, number>();

  constructor(options: ClipOptions = {}) {
    this.#windowUs = options.windowUs ?? WINDOW_US;
    this.#captioner = options.captioner;
  }

  /** Adds a frame; returns the captions of the windows that it closes. */
  async add(
    percept: Percept,
    tracked: TrackedFrame,
    context: ClipContext = {},
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<CaptionInput[]> {
    const { agentId, timeUs } = percept;
    const before = this.#latestUs.get(agentId) ?? timeUs;
    const jumped = timeUs < before - JUMP_US;
    const closed = jumped ? await this.#close(agentId, () => true, options.signal) : [];
    const windows = this.#open.get(agentId) ?? new Map<number, Window>();
    this.#open.set(agentId, windows);
    const number = Math.floor(timeUs / this.#windowUs);
    const window = windows.get(number) ?? emptyWindow(percept);
    windows.set(number, window);
    addFrame(window, percept, tracked, context, this.#captioner !== undefined);
    const latestUs = jumped ? timeUs : Math.max(timeUs, before);
    this.#latestUs.set(agentId, latestUs);
    const isOver = (open: number) => (open + 1) * this.#windowUs <= latestUs;
    return [...closed, ...(await this.#close(agentId, isOver, options.signal))];
  }

  /** The captions of all open windows, at the end of a recording. */
  async flush(options: { readonly signal?: AbortSignal } = {}): Promise<CaptionInput[]> {
    const captions: CaptionInput[] = [];
    for (const agentId of [...this.#open.keys()].sort()) {
      captions.push(...(await this.#close(agentId, () => true, options.signal)));
    }
    this.#latestUs.clear();
    return captions;
  }

  async #close(
    agentId: string,
    isOver: (number: number) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<CaptionInput[]> {
    const windows = this.#open.get(agentId);
    const captions: CaptionInput[] = [];
    for (const number of [...(windows?.keys() ?? [])].filter(isOver).sort((a, b) => a - b)) {
      const window = windows!.get(number)!;
      const caption = await this.#captionOf(window, number, signal);
      // Removed only now: after an abort the next call can still close the window.
      windows!.delete(number);
      if (caption) captions.push(caption);
    }
    if (windows?.size === 0) this.#open.delete(agentId);
    return captions;
  }

  async #captionOf(
    window: Window,
    number: number,
    signal: AbortSignal | undefined,
  ): Promise<CaptionInput | undefined> {
    const { first } = window;
    const things = [...window.states.values()];
    const room = mostFrequent(window.rooms);
    const seen = window.recorded.size === 0 ? await this.#look(window, things, room, signal) : "";
    const words = window.recorded.size > 0 ? byFrequency(window.recorded) : sentencesOf(seen);
    const lines = clean(words.length > 0 ? words : sceneLines(things, room));
    if (lines.length === 0 && window.states.size === 0 && window.views.size === 0) return undefined;
    const { anchor, path } = placesOf(window);
    const regionId = mostFrequent(window.regions);
    return {
      kind: "caption",
      id: contentId("caption", first.sceneId, first.agentId, number, first.observationId),
      sceneId: first.sceneId,
      author: first.agentId,
      labels: [...window.labels].sort().slice(0, LIMITS.labelsPerRecord),
      validFromUs: window.fromUs,
      validToUs: window.toUs + 1,
      anchor,
      text: lines,
      source: words.length > 0 ? "vlm" : "template",
      path,
      states: [...window.states.keys()].slice(0, LIMITS.refsPerRecord),
      views: [...window.views].slice(0, LIMITS.refsPerRecord),
      ...(regionId !== undefined && { regionId }),
    };
  }

  async #look(
    window: Window,
    things: readonly SceneThing[],
    room: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    if (!this.#captioner || window.images.length === 0) return "";
    const clip = {
      room,
      things: [...new Set(things.map(({ phrase, category }) => phrase ?? category))],
      images: async () => {
        const encoded = window.images.map((image) => encodeJpeg(image, IMAGE_SIDE_PX));
        return (await Promise.all(encoded)).map((bytes) => ({ bytes }));
      },
    };
    return (await this.#captioner.caption(clip, signal ? { signal } : {})) ?? "";
  }
}

/** The most frequent first; ties in order of appearance. */
function byFrequency(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].sort((a, b) => b[1] - a[1]).map(([line]) => line);
}

function mostFrequent(counts: ReadonlyMap<string, number>): string | undefined {
  return byFrequency(counts)[0];
}

/** Without repeats that differ only in case, and within the limits of length and number. */
function clean(lines: readonly string[]): string[] {
  const kept = new Map<string, string>();
  for (const line of lines) {
    const short = line.slice(0, LINE_CHARS).toWellFormed();
    if (!kept.has(short.toLowerCase())) kept.set(short.toLowerCase(), short);
  }
  return [...kept.values()].slice(0, LINES);
}
