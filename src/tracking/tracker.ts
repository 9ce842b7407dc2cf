import type { Box, Transform, Vec3 } from "../geometry/index.ts";
import { isFiniteVec3 } from "../geometry/index.ts";
import type { MemoryReader } from "../memory/index.ts";
import type { TextEmbedder } from "../models/index.ts";
import {
  LociError,
  type Maybe,
  type Percept,
  type RecordInput,
  type RecordOf,
  type SightingInput,
  type TrackedFrame,
} from "../schema/core.ts";
import { alignFrame } from "./associate/align-frame.ts";
import { isPartOf, matchMovers, retireMovers, typeOf } from "./associate/movers.ts";
import { mergeAcross, type UniteOptions } from "./merge/across.ts";
import { hear } from "./merge/heard.ts";
import { mergeAll, mergeMovers, mergeRivals } from "./merge/merging.ts";
import { followParts } from "./merge/parts.ts";
import { linkMoves } from "./moves/moves.ts";
import { findRegions, findSupport } from "./moves/support.ts";
import { noteFaint } from "./observe/faint.ts";
import { confirmGlimpsed, isFragment, mistakenFor, moverMistaken, refine } from "./observe/look.ts";
import { isReplaced, replace } from "./observe/replacement.ts";
import { noteArrival, watch } from "./presence/presence.ts";
import { type DescribedThing, describe } from "./records/described.ts";
import { Journal, type TrackerCounts } from "./records/journal.ts";
import { resume } from "./records/resume.ts";
import { begin } from "./records/stays.ts";
import { restate, sweep, writeIfNews } from "./records/writing.ts";
import type { Mode } from "./settings/mode.ts";
import { OBSERVE } from "./settings/observe.ts";
import { type Adjudicator, RULE_ADJUDICATOR } from "./state/adjudicator.ts";
import type { AlignedFrame, Candidate } from "./state/frame.ts";
import type { ThingType } from "./state/identity.ts";
import { Scene } from "./state/scene.ts";
import type { Thing } from "./state/thing.ts";
import type { Background, Telling } from "./state/words.ts";

export interface TrackerOptions {
  readonly sceneId: string;
  /** Cosine of unrelated texts by the embedder in use: z-scores are in its units (docs/formulas.md#background). */
  readonly background: Background;
  /** "paper" follows R⁴ literally where we decided otherwise (docs/formulas.md#paper-and-ours); default "loci". */
  readonly mode?: Mode | undefined;
  /** Decides pairs whose score is inconclusive; default: a rule. */
  readonly adjudicator?: Adjudicator | undefined;
  /**
   * The present place of a submap; default: by the memory's frames. Things in submaps without a place are left alone.
   */
  readonly worldFromSubmap?: ((submap: string) => Transform | undefined) | undefined;
  /** Restores the embeddings of names from an earlier run; without it names are compared word by word. */
  readonly embedder?: TextEmbedder | undefined;
}

/** The part of the frame's write that one step contributes. */
export interface TrackerStep {
  readonly records: RecordInput[];
  readonly sightings: SightingInput[];
  readonly tracked: TrackedFrame;
  readonly counts: Readonly<TrackerCounts>;
}

/** A thing in the form that other stages need. */
export interface TrackedThing {
  readonly stateId: string;
  readonly trackId: string;
  readonly type: ThingType;
  readonly name: string;
  readonly category: string;
  /** The source of the label; undefined where it came with the recording. */
  readonly namedBy?: string | undefined;
  /** Possible other labels. */
  readonly maybe?: readonly Maybe[] | undefined;
  /** The category of what it stands on. */
  readonly on?: string | undefined;
  /** The text on it, by majority of the observations. */
  readonly says?: string | undefined;
  readonly boxInWorld: Box;
  readonly positionInWorld: Vec3;
}

/**
 * Turns detections into tracks: identity from frame to frame, visit to visit and robot to robot; things still there,
 * gone, moved or changed. One scene each, one percept at a time. It reads the memory when opened and writes nothing:
 * every step returns the records and sightings for one atomic write.
 */
export class Tracker {
  readonly #scene: Scene;
  readonly #embedder: TextEmbedder | undefined;

  private constructor(scene: Scene, embedder: TextEmbedder | undefined) {
    this.#scene = scene;
    this.#embedder = embedder;
  }

  /** Starts from the memory's state of the scene, so a second recording continues where the first ended. */
  static async open(reader: MemoryReader, options: TrackerOptions): Promise<Tracker> {
    const { background } = options;
    if (!(Number.isFinite(background.mean) && background.sd >= 0)) {
      throw new LociError("invalid-input", "tracking: expected a finite background mean and deviation");
    }
    const scene = new Scene({
      sceneId: options.sceneId,
      background,
      mode: options.mode ?? "loci",
      adjudicator: options.adjudicator ?? RULE_ADJUDICATOR,
    });
    await resume(scene, reader, options);
    return new Tracker(scene, options.embedder);
  }

  /** One frame. Late frames are accepted: they add sightings and never absences. */
  async observe(percept: Percept): Promise<TrackerStep> {
    this.#check(percept);
    const scene = this.#scene;
    const journal = new Journal();
    journal.counts.detections = percept.detections.length;
    scene.latestUs = Math.max(scene.latestUs, percept.timeUs);
    if (percept.restricted) return this.#step(journal, percept.detections.length, new Map());
    const types = percept.detections.map((detection) => typeOf(detection));
    const isSure = (index: number) => percept.detections[index]?.faint !== true;
    const frame = await alignFrame(scene, percept, (index) => types[index] === "object" && isSure(index));
    journal.counts.adjudicated = frame.adjudicated;
    const seen = new Map<Thing, number>();
    const followed = frame.place((index) => types[index] !== "object" && isSure(index));
    const movers = matchMovers(scene, followed, percept.timeUs);
    this.#takeThings(frame, new Set(movers), seen, journal);
    this.#takeMovers(frame, { candidates: followed, matched: movers, types }, seen, journal);
    scene.readings.noteFrame(seen.keys());
    scene.mapParts.note(percept, seen);
    mergeRivals(scene, frame, seen, journal);
    mergeMovers(scene, seen, journal);
    noteFaint(scene, frame, seen, journal);
    watch(scene, frame, seen, journal);
    this.#settleNews(seen, journal);
    if (percept.parts) followParts(scene, journal);
    scene.past.keep(percept);
    return this.#step(journal, percept.detections.length, seen);
  }

  /** A new revision of the map: things move with their submaps, and those that now coincide are merged. */
  async correct(
    worldFromSubmap: (submap: string) => Transform | undefined,
    timeUs: number,
  ): Promise<TrackerStep> {
    const scene = this.#scene;
    const journal = new Journal();
    if (Number.isSafeInteger(timeUs)) scene.latestUs = Math.max(scene.latestUs, timeUs);
    if (scene.places.correct(worldFromSubmap)) {
      for (const thing of [...scene.things.values()]) scene.settle(thing);
      for (const thing of [...scene.movers, ...scene.ended]) thing.replace(scene.places.placeOf);
      mergeAll(scene, journal);
      for (const thing of scene.things.values()) writeIfNews(scene, thing, journal);
    }
    return this.#step(journal, 0, new Map());
  }

  /** Two maps were joined: each thing that both have becomes one. */
  unite(options: UniteOptions): TrackerStep {
    const journal = new Journal();
    mergeAcross(this.#scene, options, journal);
    return this.#step(journal, 0, new Map());
  }

  /** The latest time it has received. */
  get lastUs(): number {
    return this.#scene.latestUs;
  }

  /** Takes in what other writers of the same memory recorded since; a thing that both detected keeps one record. */
  async hear(
    reader: MemoryReader,
    states: readonly RecordOf<"state">[],
    worldFromSubmap: (submap: string) => Transform | undefined,
  ): Promise<TrackerStep> {
    const journal = new Journal();
    await hear(this.#scene, reader, states, { worldFromSubmap, embedder: this.#embedder }, journal);
    return this.#step(journal, 0, new Map());
  }

  /** The end of a recording: pending records are written. The tracker may go on afterwards. */
  async finish(timeUs: number): Promise<TrackerStep> {
    const scene = this.#scene;
    const journal = new Journal();
    if (Number.isSafeInteger(timeUs)) scene.latestUs = Math.max(scene.latestUs, timeUs);
    confirmGlimpsed(scene, journal);
    mergeAll(scene, journal);
    followParts(scene, journal, true);
    sweep(scene, journal, true);
    for (const thing of scene.things.values()) {
      if (thing.isConfirmed && findSupport(scene, thing)) writeIfNews(scene, thing, journal);
    }
    linkMoves(scene, journal, true);
    return this.#step(journal, 0, new Map());
  }

  /** Confirmed things believed to be there now; all of them, or those in or near a box. */
  *things(near?: Box): Generator<TrackedThing> {
    const { things, movers } = this.#scene;
    for (const thing of [...(near ? things.near(near) : things.values()), ...movers]) {
      if (!thing.isConfirmed) continue;
      yield {
        stateId: thing.stateId,
        trackId: thing.trackId,
        type: thing.type,
        name: thing.words.name,
        category: thing.words.category,
        namedBy: thing.words.namedBy,
        on: this.#supportOf(thing)?.words.category,
        maybe: thing.words.maybe,
        says: thing.words.inscription,
        boxInWorld: thing.worldBox,
        positionInWorld: thing.centre,
      };
    }
  }

  /** A state in words, or undefined if it is not open. */
  describe(stateId: string): DescribedThing | undefined {
    return describe(this.#scene, stateId);
  }

  /** Writes states again as they are believed now, because another stage adds to their records. */
  restate(stateIds: readonly string[]): Pick<TrackerStep, "records"> {
    const journal = new Journal();
    for (const id of stateIds) restate(this.#scene, id, journal);
    return { records: journal.records };
  }

  /**
   * A label from a model that saw all good views of a thing at once: it counts for more than all observations so far.
   */
  told(stateId: string, said: Telling): Pick<TrackerStep, "records"> {
    const journal = new Journal();
    const thing = this.#scene.byState.get(stateId);
    if (!thing) return { records: [] };
    thing.evidence.tell(said);
    writeIfNews(this.#scene, thing, journal);
    return { records: journal.records };
  }

  /**
   * The text on a thing, from a model that read several views of it: written as a recording writes it, after the name.
   */
  toldWriting(stateId: string, text: string): Pick<TrackerStep, "records"> {
    const journal = new Journal();
    const thing = this.#scene.byState.get(stateId);
    if (!thing) return { records: [] };
    thing.words.addWriting(text, thing.words.categories.total + 1);
    writeIfNews(this.#scene, thing, journal);
    return { records: journal.records };
  }

  #supportOf({ links }: Thing): Thing | undefined {
    return links.supportedBy === undefined ? undefined : this.#scene.byState.get(links.supportedBy);
  }

  isMover(stateId: string): boolean {
    return (this.#scene.byState.get(stateId)?.type ?? "object") !== "object";
  }

  /** Sets the regions of things; the region of a place comes from the map. */
  settle(
    regionAt: (positionInWorld: Vec3, stateId: string) => string | undefined,
  ): Pick<TrackerStep, "records"> {
    const journal = new Journal();
    findRegions(this.#scene, regionAt, journal);
    return { records: journal.records };
  }

  #check(percept: Percept): void {
    const { sceneId } = this.#scene;
    if (percept.sceneId !== sceneId) {
      throw new LociError(
        "invalid-input",
        `this tracker is for scene "${sceneId}", got "${percept.sceneId}"`,
      );
    }
    const sound =
      Number.isSafeInteger(percept.timeUs) &&
      isFiniteVec3(percept.worldFromSubmap.p) &&
      isFiniteVec3(percept.submapFromCamera.p);
    if (!sound) throw new LociError("invalid-input", `percept ${percept.observationId}: no time or no pose`);
  }

  #takeThings(
    frame: AlignedFrame,
    movers: ReadonlySet<Thing | undefined>,
    seen: Map<Thing, number>,
    journal: Journal,
  ): void {
    const scene = this.#scene;
    const taken = new Set([...frame.matched, ...movers]);
    frame.candidates.forEach((candidate, row) => {
      const matched = frame.matched[row];
      if (!matched && isFragment(scene, candidate, frame, taken)) return;
      // An observation that contradicts the thing in its place too much to match it also contradicts its replacement.
      let thing = matched ?? mistakenFor(scene, candidate, frame, taken);
      const mover = thing?.isConfirmed ? undefined : moverMistaken(scene, candidate, frame, taken);
      if (mover) {
        thing = mover;
        mover.shape.leaveTrail(frame.percept.timeUs);
      } else if (thing && isReplaced(scene, thing, candidate, frame.percept))
        thing = replace(scene, thing, candidate, frame.percept, journal);
      else if (matched) journal.counts.matched++;
      else thing ??= this.#create(candidate, frame, "object", journal);
      taken.add(thing);
      if (!thing) return;
      refine(scene, thing, candidate, frame, journal);
      seen.set(thing, candidate.index);
    });
  }

  #takeMovers(
    frame: AlignedFrame,
    {
      candidates,
      matched,
      types,
    }: {
      readonly candidates: readonly Candidate[];
      readonly matched: readonly (Thing | undefined)[];
      readonly types: readonly ThingType[];
    },
    seen: Map<Thing, number>,
    journal: Journal,
  ): void {
    const scene = this.#scene;
    matched.forEach((known, row) => {
      const candidate = candidates[row]!;
      if (!known && matched.some((mover) => mover && isPartOf(candidate, mover))) return;
      const still = known ? undefined : mistakenFor(scene, candidate, frame, new Set(seen.keys()));
      if (still) {
        refine(scene, still, candidate, frame, journal);
        seen.set(still, candidate.index);
        return;
      }
      const mover = known ?? this.#create(candidate, frame, types[candidate.index]!, journal);
      if (!mover) return;
      if (known) journal.counts.matched++;
      scene.movers.add(mover);
      refine(scene, mover, candidate, frame, journal);
      mover.shape.leaveTrail(frame.percept.timeUs);
      seen.set(mover, candidate.index);
    });
    retireMovers(scene, journal);
  }

  #create(candidate: Candidate, frame: AlignedFrame, type: ThingType, journal: Journal): Thing | undefined {
    if (this.#scene.tentatives >= OBSERVE.maxTentatives) return undefined;
    journal.counts.created++;
    const { detection, solid } = candidate;
    return begin(this.#scene, { detectionId: detection.id, box: solid.box, percept: frame.percept, type });
  }

  /** Applies the consequences of a frame: what things stand on, and which stays belong together. */
  #settleNews(seen: ReadonlyMap<Thing, number>, journal: Journal): void {
    const scene = this.#scene;
    if (journal.counts.confirmed + journal.counts.ended > 0) {
      for (const thing of seen.keys()) {
        if (thing.isConfirmed && thing.type === "object" && journal.changed.has(thing.stateId)) {
          noteArrival(scene, thing, journal);
          if (findSupport(scene, thing)) writeIfNews(scene, thing, journal);
        }
      }
      linkMoves(scene, journal);
    }
    sweep(scene, journal);
  }

  #step(journal: Journal, detections: number, seen: ReadonlyMap<Thing, number>): TrackerStep {
    const stateOf: (string | undefined)[] = Array.from({ length: detections }, () => undefined);
    for (const [thing, index] of seen) {
      const kept = this.#scene.mergedStates.get(thing.stateId) ?? thing;
      // One odd observation is a misread colour; to which thing the next ones belong is open until the run is over.
      if (kept.isConfirmed && (kept.evidence.contrary?.count ?? 0) < 2) stateOf[index] = kept.stateId;
    }
    return {
      records: journal.records,
      sightings: journal.sightings,
      tracked: { stateOf, changed: [...journal.changed] },
      counts: journal.counts,
    };
  }
}
