import { apply, compose, invert } from "../geometry/index.ts";
import { isVague } from "../localisation/index.ts";
import type { SceneMap } from "../map/index.ts";
import { FloatingViews, isRefused, Perception, redacted } from "../perception/index.ts";
import { type FrameEdgeInput, type FramePlace, LIMITS, type Percept, WORLD_FRAME } from "../schema/index.ts";
import type { Frame, RecordingItem } from "../sensors/index.ts";
import { type Place, withoutSubmap } from "./frame-pose.ts";
import { Gather } from "./gather.ts";
import { KnownFrames } from "./known-frames.ts";
import { MapFrames } from "./map-frames.ts";
import { nameThings } from "./naming.ts";
import type { PipelineOptions } from "./options.ts";
import { Others } from "./others.ts";
import { Picturing } from "./picturing.ts";
import { withoutZones, zoneAt } from "./privacy.ts";
import { readThings } from "./reading.ts";
import { detectionsOf, floatingOf, observationIdOf, observationOf, withoutFaint } from "./records.ts";
import { openStages, type Stages } from "./stages.ts";
import { captionRecord, graphRecords } from "./statements.ts";

/** How often, in recorded time, rooms and regions are updated by default. */
const MAP_UPDATE_US = 10_000_000;
/** Most frames waiting for the pose of their submap. */
const MOST_WAITING = 64;
/** Most rounds, at the end, of reading what others wrote meanwhile. */
const MOST_ROUNDS = 8;
/** Most concurrent writes: the disk works while the next frame is processed, without falling far behind. */
const WRITES_AHEAD = 4;

/**
 * Frames into memory: perceived, tracked, mapped, and written with one atomic batch per frame. Unaligned maps are
 * kept apart, each with stages of its own, since a position in one says nothing about another.
 */
export class Pipeline {
  readonly #options: PipelineOptions;
  readonly #perception: Perception;
  readonly #frames: MapFrames;
  readonly #known: KnownFrames;
  readonly #stages = new Map<string, Promise<Stages>>();
  readonly #writes: Promise<unknown>[] = [];
  readonly #floating = new FloatingViews();
  readonly #others: Others | undefined;
  readonly #picturing: Picturing;
  #edges: FrameEdgeInput[] = [];
  #waiting: Frame[] = [];
  #failure: unknown;

  private constructor(
    options: PipelineOptions,
    { frames, known, others }: { frames: MapFrames; known: KnownFrames; others: Others | undefined },
  ) {
    this.#options = options;
    this.#frames = frames;
    this.#known = known;
    this.#others = others;
    this.#picturing = new Picturing(options);
    const { embedder, sceneId, labels, models } = options;
    const { describer } = models;
    this.#perception = new Perception({ embedder, sceneId, labels, ...(describer && { describer }) });
  }

  static async open(options: PipelineOptions): Promise<Pipeline> {
    const { reader, sceneId, manyWriters } = options;
    const others = manyWriters ? await Others.open(reader, sceneId) : undefined;
    const known = await KnownFrames.open(reader, sceneId);
    return new Pipeline(options, { frames: new MapFrames(await reader.frames()), known, others });
  }

  /** Adds map edges as they arrive; they are written with the next frame, or at the end. */
  edges(edges: readonly FrameEdgeInput[]): void {
    this.#edges.push(...edges);
  }

  /** The current map of the frames, for planning; undefined before the first frame. */
  async map(root: string = WORLD_FRAME): Promise<SceneMap | undefined> {
    return (await this.#stages.get(root))?.map;
  }

  /** Updates and writes rooms and regions now, before a question depends on them. */
  async updateMap(): Promise<void> {
    const gather = new Gather();
    for (const stages of await Promise.all(this.#stages.values()))
      if (stages.lastUs > stages.updatedUs) await this.#updateMap(stages, stages.lastUs, gather);
    await this.#write(gather);
    await this.settle();
  }

  /** Adds external statements: a caption, or a whole scene graph in parts. */
  async state(item: Extract<RecordingItem, { kind: "caption" | "graph" }>): Promise<void> {
    const { sceneId, labels, counter } = this.#options;
    counter.statements++;
    const filing = { sceneId, labels };
    const records =
      item.kind === "graph" ? graphRecords(item.graph, filing) : [captionRecord(item.caption, filing)];
    const made = records.filter((record) => record !== undefined);
    for (let from = 0; from < made.length; from += LIMITS.recordsPerBatch) {
      const gather = new Gather();
      await this.#takeEdges(gather, undefined);
      gather.add({ records: made.slice(from, from + LIMITS.recordsPerBatch) });
      await this.#write(gather);
    }
  }

  /**
   * Processes one frame, in the intended order. A frame whose submap has no pose yet waits for the edge that gives
   * it, because map packets can be late too.
   */
  async frame(frame: Frame): Promise<void> {
    await this.#freeWaiting();
    if (
      frame.submap !== undefined &&
      !this.#frames.knows(frame.submap.frame) &&
      !this.#edgesPlace(frame.submap.frame)
    ) {
      this.#waiting.push(frame);
      if (this.#waiting.length > MOST_WAITING) await this.#takeFrame(withoutSubmap(this.#waiting.shift()!));
      return;
    }
    await this.#takeFrame(frame);
  }

  /** Frames whose submap has received its pose since. */
  async #freeWaiting(): Promise<void> {
    const ready = this.#waiting.filter(
      ({ submap }) => this.#frames.knows(submap!.frame) || this.#edgesPlace(submap!.frame),
    );
    if (ready.length === 0) return;
    this.#waiting = this.#waiting.filter((frame) => !ready.includes(frame));
    for (const frame of ready) await this.#takeFrame(frame);
  }

  #edgesPlace(submap: string): boolean {
    return this.#edges.some(({ child }) => child === submap);
  }

  async #takeFrame(frame: Frame): Promise<void> {
    const { counter, sceneId, labels } = this.#options;
    const gather = new Gather();
    await this.#takeEdges(gather, frame.timeUs);
    const observationId = observationIdOf(sceneId, frame);
    if (await this.#known.has(observationId, frame)) {
      counter.skip("duplicate");
      return this.#write(gather);
    }
    const place = this.#placeOf(frame, gather);
    if (place === "no-pose") {
      counter.skip("no-pose");
      const shown = this.#redact(frame);
      gather.add({ records: floatingOf(shown, sceneId, labels) });
      gather.add((await this.#floating.keep(shown, { sceneId, labels, observationId })) ?? {});
      return this.#write(gather);
    }
    if (place === "no-map") {
      counter.skip("no-map");
      return this.#write(gather);
    }
    if (zoneAt(this.#options.privacy, apply(place.worldFromSubmap, place.submapFromCamera.p))) {
      counter.skip("no-record-zone");
      return this.#write(gather);
    }
    const shown = this.#redact(frame);
    const inspected = this.#perception.inspect(shown, place);
    const isSound = !isRefused(inspected) && !inspected.restricted;
    const placed = isSound ? await this.#corrected(shown, place, gather) : { ...place, isDoubtful: false };
    const isDoubtful = placed.isDoubtful || isVague(frame.poseSd);
    // Stored as proof of presence: a frame with a doubtful pose is not used for learning.
    const kept = isDoubtful && !isRefused(inspected) ? { ...inspected, restricted: true } : inspected;
    const perceived = await this.#perception.perceive(
      shown,
      { ...placed, observationId },
      { inspected: kept },
    );
    if (isRefused(perceived)) {
      counter.skip(perceived.reason);
      return this.#write(gather);
    }
    if (perceived.restricted) counter.skip(isDoubtful ? "doubtful-pose" : "black");
    await this.#take(withoutZones(this.#options.privacy, perceived), gather);
    counter.written++;
    return this.#write(gather);
  }

  /** The end of a recording: pending work is finished and written. */
  async finish(): Promise<void> {
    await this.#freeWaiting();
    for (const frame of this.#waiting.splice(0)) await this.#takeFrame(withoutSubmap(frame));
    const gather = new Gather();
    const { models } = this.#options;
    await this.#takeEdges(gather, undefined);
    for (const stages of await Promise.all(this.#stages.values())) {
      // Opened for a frame that was then refused, like all others.
      if (stages.lastUs === -Infinity) continue;
      const { corrector, tracker, map, clips, diary, lastUs } = stages;
      gather.frames(this.#frames.shift(corrector?.moved(true) ?? []));
      gather.add({ records: await clips.flush() });
      gather.add(diary.finish());
      gather.add(await tracker.finish(lastUs));
      if (models.describer) {
        gather.add(await nameThings(stages, models.describer));
        // Pieces and doubles of one name are merged, now that it is known.
        gather.add(await tracker.finish(lastUs));
      }
      if (models.reader) gather.add(await readThings(stages, models.reader));
      await this.#updateMap(stages, lastUs, gather);
      gather.add(map.finish());
    }
    this.#picturing.settle(await Promise.all(this.#stages.values()), gather, true);
    await this.#write(gather);
    await this.settle();
    await this.#hearToTheEnd();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** The last writer has seen every earlier commit; two that end at once see each other's. */
  async #hearToTheEnd(): Promise<void> {
    for (let round = 0; this.#others && this.#failure === undefined && round < MOST_ROUNDS; round++) {
      const gather = new Gather();
      if (!(await this.#others.tell(this.#stages, this.#frames, gather))) return;
      await this.#write(gather);
      await this.settle();
    }
  }

  /** Waits for pending writes. */
  async settle(): Promise<void> {
    await Promise.all(this.#writes);
  }

  async #take(perceived: Percept, gather: Gather): Promise<void> {
    const { counter } = this.#options;
    const stages = await this.#stagesOf(perceived.submap);
    const { tracker, map, views, clips, diary } = stages;
    const { timeUs } = perceived;
    await this.#others?.tell(this.#stages, this.#frames, gather);
    stages.lastUs = Math.max(stages.lastUs, timeUs);
    const step = await tracker.observe(perceived);
    const { percept, tracked } = withoutFaint(perceived, step.tracked);
    counter.detections += percept.detections.length;
    counter.withoutDepth += percept.detections.filter(({ solid }) => solid === undefined).length;
    gather.add({ records: [observationOf(percept), ...detectionsOf(percept, tracked.stateOf)] });
    gather.add(step);
    stages.looks?.add(percept, tracked);
    stages.prints?.add(percept, tracked);
    gather.add(map.observe(percept, tracked, { isMover: (stateId) => tracker.isMover(stateId) }));
    const cameraInWorld = apply(percept.worldFromSubmap, percept.submapFromCamera.p);
    const room = map.roomAt(cameraInWorld);
    const context = {
      room: room?.name,
      regionId: room?.id,
      thingOf: (stateId: string) => tracker.describe(stateId),
    };
    const { keepsViews = true, mapEveryUs = MAP_UPDATE_US } = this.#options;
    const kept = keepsViews ? await views.keep(percept, tracked, context) : undefined;
    if (kept) {
      gather.add({ records: [kept.record], blobs: kept.blobs });
      map.note(cameraInWorld, { view: kept.record.id });
    }
    if (keepsViews) await this.#picturing.took(percept, tracked, kept, { room: room?.name, ...step }, gather);
    const captions = await clips.add(percept, tracked, { ...context, viewId: kept?.record.id });
    for (const caption of captions)
      map.note(cameraInWorld, { caption: caption.id, lines: caption.text ?? [] });
    gather.add({ records: captions });
    gather.add(diary.observe(percept, room?.id));
    if (timeUs - stages.updatedUs >= mapEveryUs) await this.#updateMap(stages, timeUs, gather);
  }

  async #updateMap(stages: Stages, timeUs: number, gather: Gather): Promise<void> {
    stages.updatedUs = timeUs;
    const { map, tracker } = stages;
    const things = [...tracker.things()].filter(({ type }) => type === "object");
    gather.add(
      await map.update(
        things.map(({ stateId: id, boxInWorld: box, category, maybe, says }) => ({
          id,
          category,
          maybe,
          says,
          box,
        })),
        timeUs,
      ),
    );
    gather.add(tracker.settle((position, stateId) => map.roomOf(stateId) ?? map.roomAt(position)?.id));
    this.#picturing.settle([stages], gather);
  }

  async #takeEdges(gather: Gather, timeUs: number | undefined): Promise<void> {
    if (this.#edges.length === 0) return;
    const edges = this.#frames.news(this.#edges);
    this.#edges = [];
    if (edges.length === 0) return;
    gather.frames(edges);
    if (!this.#frames.add(edges)) return;
    this.#options.counter.corrections++;
    gather.frames(this.#frames.takeBackShifts());
    const rootFrom = (submap: string) => this.#frames.rootFrom(submap);
    for (const { corrector, tracker, map, views, lastUs } of await Promise.all(this.#stages.values())) {
      const atUs = timeUs ?? lastUs;
      if (atUs === -Infinity) continue;
      corrector?.correct(rootFrom);
      gather.add(await tracker.correct(rootFrom, atUs));
      gather.add(map.correct(rootFrom));
      views.correct(rootFrom);
    }
  }

  #placeOf(frame: Frame, gather: Gather): Place | "no-pose" | "no-map" {
    const submapFromCamera = frame.submap?.submapFromCamera ?? frame.worldFromCamera;
    if (submapFromCamera === undefined) return "no-pose";
    if (frame.submap !== undefined && !this.#frames.knows(frame.submap.frame)) return "no-map";
    const submap = frame.submap?.frame ?? frame.mapFrame;
    const worldFromSubmap = this.#frames.rootFrom(submap);
    if (worldFromSubmap === undefined) return "no-map";
    const upright = this.#frames.uprightOf(submap, worldFromSubmap);
    gather.frames(upright.edges);
    return {
      parent: submap,
      submap: upright.frame,
      submapFromCamera: compose(invert(upright.submapFromUpright), submapFromCamera),
      worldFromSubmap: compose(worldFromSubmap, upright.submapFromUpright),
    };
  }

  /** The frame registered on surfaces seen before, and its submap where it fits the others. */
  async #corrected(
    frame: Frame,
    believed: Place,
    gather: Gather,
  ): Promise<FramePlace & { readonly isDoubtful: boolean }> {
    const { corrector } = await this.#stagesOf(believed.submap);
    if (corrector === undefined) return { ...believed, isDoubtful: false };
    const isMovable = believed.parent !== believed.submap;
    const place = corrector.place({ ...frame, ...believed, isMovable });
    gather.frames(this.#frames.shift(corrector.moved()));
    return { ...believed, ...place };
  }

  #redact(frame: Frame): Frame {
    let out = frame;
    for (const action of ["drop", "blur"] as const) {
      const classes = this.#options.privacy.redact.filter((rule) => rule.action === action);
      if (classes.length > 0)
        out = redacted(
          out,
          classes.map(({ category }) => category),
          action,
        );
    }
    this.#options.counter.redacted += (frame.detections?.length ?? 0) - (out.detections?.length ?? 0);
    return out;
  }

  /**
   * Queues a write; waits only if too many are pending. Writes run one after the other, since a frame may name what
   * the one before it created. After a failure nothing more is written, and the next call throws.
   */
  async #write(gather: Gather): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    if (gather.isEmpty) return;
    await this.#picturing.stamp(gather);
    this.#options.counter.made(gather.records);
    const batch = gather.batch();
    const before = this.#writes.at(-1) ?? Promise.resolve();
    const done = before.then(async () => {
      if (this.#failure !== undefined) return;
      try {
        const commit = await this.#options.write(batch);
        if (commit) this.#others?.wrote(commit);
      } catch (error) {
        this.#failure = error;
      }
    });
    this.#writes.push(done);
    while (this.#writes.length > WRITES_AHEAD) await this.#writes.shift();
  }

  /** Stages continue from the memory, including this run's writes. */
  async #openStages(root: string): Promise<Stages> {
    await this.settle();
    const reader = (await this.#options.readerNow?.()) ?? this.#options.reader;
    const { album } = this.#picturing;
    return openStages({ ...this.#options, reader }, root, { frames: this.#frames, album });
  }

  #stagesOf(submap: string): Promise<Stages> {
    const root = this.#frames.rootOf(submap);
    const known = this.#stages.get(root);
    if (known) return known;
    const opened = this.#openStages(root);
    this.#stages.set(root, opened);
    return opened;
  }
}
