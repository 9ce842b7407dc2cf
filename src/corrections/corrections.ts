import { isDeepStrictEqual } from "node:util";
import { apply, invert, type Vec3 } from "../geometry/index.ts";
import { eachHit, type MemoryReader, type WriteBatch } from "../memory/index.ts";
import {
  type Correction,
  type IdSource,
  isLociError,
  LIMITS,
  LociError,
  type RecordInput,
  type RecordOf,
  type Stored,
  WORLD_FRAME,
} from "../schema/core.ts";
import { CorrectionBook, type CorrectionEvent, recordsOf, type Saying, sayingOf } from "./book.ts";

/** Most named places in force in one memory: all of them are read for a question. */
export const MAX_SPOTS = 500;
/** Most retries after a concurrent write of the same things. */
const MAX_ATTEMPTS = 8;
const MAX_LISTED = 1_000;
/** A named place is as high as a room. */
const SPOT_HEIGHT_M = 2;

export interface CorrectionDeps {
  /** Opens a reader that sees everything; called once. */
  readonly open: () => Promise<MemoryReader>;
  readonly write: (batch: WriteBatch) => Promise<{ readonly commitUs: number }>;
  readonly newId: IdSource;
}

/** The author, and what the author may see. */
export interface Speaker {
  readonly author: string;
  readonly seen: MemoryReader;
}

interface Spot {
  readonly name: string;
  readonly at: Vec3;
  readonly radiusM: number;
  readonly labels: readonly string[];
  readonly sceneId: string;
}

/**
 * Corrections of things, rooms and places, and undoing them. A correction is an event; its targets are rewritten as
 * they are in the same commit, and the book, through which every write passes, gives them the person's values.
 */
export class Corrections {
  readonly #deps: CorrectionDeps;
  readonly #book = new CorrectionBook(() => this.#reader());
  #opened: Promise<MemoryReader> | undefined;

  constructor(deps: CorrectionDeps) {
    this.#deps = deps;
  }

  /** A batch with corrections applied. */
  honour(batch: WriteBatch): Promise<WriteBatch> {
    return this.#book.honour(batch);
  }

  /** "That is a printer", "this is Grandma's chair": for a track, one of its states, or a room. */
  async say(what: Saying["what"], targetId: string, says: string, speaker: Speaker): Promise<Correction> {
    const target = await this.#targetOf(targetId, speaker.seen);
    const words = plain(says);
    const within = target.kind === "region" ? middleOf(target) : undefined;
    const event: RecordInput = {
      kind: "event",
      type: "correction",
      id: this.#deps.newId(),
      sceneId: target.sceneId,
      author: speaker.author,
      labels: target.labels,
      // Valid in the world for as long as the thing is known; the time of the correction is memory time.
      validFromUs: target.validFromUs,
      validToUs: null,
      text: [what === "kind" ? `that is ${article(words)}` : `that is called ${words}`],
      who: [target.id],
      detail: { what, says: words, was: target.name, ...(within && placeOf(within, target)) },
    };
    return this.#commit(event, speaker, (book) => book.add(sayingOf(event as RecordOf<"event">)!));
  }

  /** "This is the charging dock": a place without a thing. */
  async nameSpot(spot: Spot, speaker: Speaker): Promise<Correction> {
    const { newId } = this.#deps;
    const known = await (await this.#reader()).count({ kinds: ["region"], where: { category: ["spot"] } });
    if (known >= MAX_SPOTS)
      throw new LociError("limit-exceeded", `at most ${MAX_SPOTS} places have a name; undo some`);
    const [id, name] = [newId(), plain(spot.name)];
    const common = { sceneId: spot.sceneId, author: speaker.author, labels: [...spot.labels] };
    const validFromUs = await beginningOf(speaker.seen);
    const place: RecordInput = {
      ...common,
      kind: "region",
      type: "spot",
      id,
      level: 0,
      name,
      text: [name],
      validFromUs,
      validToUs: null,
      ...(await anchored(spot, speaker.seen)),
    };
    const event: RecordInput = {
      ...common,
      kind: "event",
      type: "correction",
      id: newId(),
      validFromUs,
      validToUs: null,
      text: [`this place is called ${name}`],
      who: [id],
      detail: { what: "name", says: name },
    };
    return this.#commit(event, speaker, () => undefined, [place]);
  }

  /** Undoes a correction; its targets return to the robots' values, or to earlier corrections. */
  async undo(id: string, speaker: Speaker): Promise<Correction> {
    const [event] = await speaker.seen.get([id]);
    const saying = event?.kind === "event" ? sayingOf(event) : undefined;
    if (event?.kind !== "event" || !saying)
      throw new LociError("unknown-id", `there is no correction "${id}"`);
    if (event.validToUs !== null)
      throw new LociError("invalid-input", `the correction "${id}" was undone already`);
    const { version, recordedAtUs: saidAtUs, supersededAtUs: _, ...said } = event;
    const never = { validToUs: event.validFromUs + 1 };
    const undone: RecordInput & { expectVersion: number } = {
      ...said,
      ...never,
      detail: { ...said.detail, saidAtUs, undoneBy: speaker.author },
      expectVersion: version,
    };
    const [target] = await (await this.#reader()).get([saying.target]);
    // A named place consisted of its name alone.
    const ended =
      target?.kind === "region" && target.type === "spot" ? [{ ...withoutStamps(target), ...never }] : [];
    return this.#commit(undone, speaker, (book) => book.remove(id), ended);
  }

  /** Corrections, latest first, including undone ones. */
  async list(
    seen: MemoryReader,
    options: { readonly limit?: number | undefined } = {},
  ): Promise<Correction[]> {
    const { hits } = await seen.search({
      kinds: ["event"],
      where: { category: ["correction"] },
      rank: "id",
      limit: LIMITS.hitsPerSearch,
    });
    const all = hits.flatMap(({ record }) => correctionOf(record as CorrectionEvent) ?? []);
    return all
      .sort((a, b) => b.saidAtUs - a.saidAtUs || (a.id < b.id ? 1 : -1))
      .slice(0, options.limit ?? MAX_LISTED);
  }

  /**
   * Call before forgetting corrections: removes their names from all records. Returns what must be forgotten with
   * them: the versions with those names.
   */
  async withdraw(ids: readonly string[]): Promise<{ readonly id: string; readonly version: number }[]> {
    const reader = await this.#reader();
    const past: { id: string; version: number }[] = [];
    for (const record of await reader.get(ids)) {
      const saying = record?.kind === "event" ? sayingOf(record) : undefined;
      if (!record || !saying) continue;
      if (record.validToUs === null) await this.undo(record.id, { author: record.author, seen: reader });
      for (const { id } of await recordsOf(reader, await this.#book.standingFor(saying)))
        for (const version of await reader.history(id))
          if (version.supersededAtUs !== null && "perceived" in version && version.perceived !== undefined)
            past.push({ id, version: version.version });
    }
    return past;
  }

  /**
   * Call after corrections arrived from another memory, or were undone there: applies them to their targets,
   * whichever arrived first.
   */
  async settle(): Promise<void> {
    const reader = await this.#reader();
    this.#book.reload();
    await this.#book.load();
    for await (const { record } of eachHit(reader, "event", { where: { category: ["correction"] } })) {
      const saying = sayingOf(record);
      if (!saying) continue;
      for (let attempt = 1; ; attempt++) {
        const about = await recordsOf(reader, await this.#book.standingFor(saying));
        const records = about.map((one) => this.#book.rewritten(one));
        try {
          if (records.some((one, i) => !isDeepStrictEqual(one, about[i])))
            await this.#deps.write({ records, derived: true });
          break;
        } catch (error) {
          if (!isLociError(error, "version-conflict") || attempt >= MAX_ATTEMPTS) throw error;
        }
      }
    }
  }

  /** After forgetting: the book is read again. */
  reload(): void {
    this.#book.reload();
  }

  #reader(): Promise<MemoryReader> {
    this.#opened ??= this.#deps.open();
    return this.#opened;
  }

  async #targetOf(id: string, seen: MemoryReader): Promise<Stored<RecordOf<"track"> | RecordOf<"region">>> {
    let [target] = await seen.get([id]);
    if (target?.kind === "state") [target] = await seen.get([target.trackId]);
    for (let hop = 0; target?.kind === "track" && target.mergedInto !== undefined && hop < 8; hop++) {
      const [into] = await seen.get([target.mergedInto]);
      if (!into) break;
      target = into;
    }
    if (target?.kind === "track") return target as Stored<RecordOf<"track">>;
    if (target?.kind === "region" && (target.type === "room" || target.type === "floor"))
      return target as Stored<RecordOf<"region">>;
    throw new LociError("unknown-id", `there is no thing or room "${id}"`);
  }

  /** One commit: the event, what comes with it, and all its targets. */
  async #commit(
    event: RecordInput,
    speaker: Speaker,
    change: (book: CorrectionBook) => void,
    more: readonly RecordInput[] = [],
  ): Promise<Correction> {
    const [book, reader] = [this.#book, await this.#reader()];
    await book.load();
    const saying = sayingOf(event as RecordOf<"event">)!;
    change(book);
    try {
      for (let attempt = 1; ; attempt++) {
        const about = more.length > 0 ? [] : await recordsOf(reader, await book.standingFor(saying));
        try {
          await this.#deps.write({
            records: [event, ...more, ...about.map((record) => book.rewritten(record))],
            derived: true,
          });
          break;
        } catch (error) {
          if (!isLociError(error, "version-conflict") || attempt >= MAX_ATTEMPTS) throw error;
        }
      }
    } catch (error) {
      book.reload();
      throw error;
    }
    const [stored] = await speaker.seen.get([event.id]);
    const said = stored?.kind === "event" ? correctionOf(stored as CorrectionEvent) : undefined;
    if (!said)
      throw new LociError("unknown-id", `"${event.id}" was written but is not visible to its author`);
    return said;
  }
}

/** A correction as reported; undefined for other events. */
export function correctionOf(event: CorrectionEvent): Correction | undefined {
  const saying = sayingOf(event);
  if (!saying) return undefined;
  const { was, saidAtUs, undoneBy } = event.detail as { was?: string; saidAtUs?: number; undoneBy?: string };
  return {
    id: event.id,
    what: saying.what,
    target: saying.target,
    says: saying.says,
    ...(was !== undefined && { was }),
    author: event.author,
    labels: event.labels,
    sceneId: event.sceneId,
    saidAtUs: saidAtUs ?? event.recordedAtUs,
    ...(undoneBy !== undefined && { undone: { by: undoneBy, atUs: event.recordedAtUs } }),
  };
}

/** "a printer" and "the printer" both become "printer". */
function plain(words: string): string {
  const said = words.trim().replace(/^(?:an?|the)\s+/i, "");
  if (said === "") throw new LociError("invalid-input", "there is no name in that");
  return said;
}

function article(words: string): string {
  return `${/^[aeiou]/i.test(words) ? "an" : "a"} ${words}`;
}

/** A point in a room, and its map: other maps have other coordinates. */
function placeOf(within: Vec3, { anchor }: Pick<RecordOf<"region">, "anchor">) {
  const frame = anchor?.submap ?? WORLD_FRAME;
  return { within: { ...within }, ...(frame !== WORLD_FRAME && { frame }) };
}

function middleOf({ hull = [] }: RecordOf<"region">): Vec3 | undefined {
  if (hull.length < 3) return undefined;
  const sum = hull.reduce((a, b) => ({ x: a.x + b.x, y: a.y + b.y, z: Math.min(a.z, b.z) }), {
    x: 0,
    y: 0,
    z: Infinity,
  });
  return { x: sum.x / hull.length, y: sum.y / hull.length, z: sum.z };
}

/** The beginning of the memory: a place existed before it had a name. */
async function beginningOf(seen: MemoryReader): Promise<number> {
  const { hits } = await seen.search({ rank: "earliest", limit: 1 });
  return hits[0]?.record.validFromUs ?? 0;
}

/** A place moves with the map around it: it is anchored like the nearest record. */
async function anchored({ at, radiusM }: Spot, seen: MemoryReader) {
  const { hits } = await seen.search({
    kinds: ["observation", "state", "place"],
    space: { type: "nearest", point: at },
    rank: "distance",
    limit: 1,
  });
  const submap = hits[0]?.record.anchor?.submap ?? WORLD_FRAME;
  const worldFromSubmap =
    submap === WORLD_FRAME ? undefined : (await seen.frames()).resolve(WORLD_FRAME, submap);
  return {
    anchor: worldFromSubmap
      ? { submap, p: apply(invert(worldFromSubmap), at) }
      : { submap: WORLD_FRAME, p: at },
    extent: { x: 2 * radiusM, y: 2 * radiusM, z: SPOT_HEIGHT_M },
  };
}

function withoutStamps<R extends Stored>({
  version: _,
  recordedAtUs: __,
  supersededAtUs: ___,
  ...record
}: R): RecordInput {
  return record as unknown as RecordInput;
}
