import type { Box, Cone, Frustum, Polygon, TimeUs, Vec3 } from "../geometry/index.ts";
import { LIMITS, LociError, type RecordKind, type RecordOf } from "../schema/core.ts";
import type { CallOptions, Hit, MemoryReader, SearchPlan } from "./port.ts";
import {
  DEFAULT_LIMIT,
  type DistanceMetric,
  type MeaningKey,
  type RankBy,
  type ScalarKey,
  type SearchRequest,
  type SpaceKey,
  type TimeKey,
} from "./request.ts";

/** A moment as people write it: microseconds since the epoch, a Date, or ISO 8601. */
export type Moment = TimeUs | Date | string;

/** What a query needs of the memory. */
export interface QueryContext {
  reader(): Promise<MemoryReader>;
  embedText(text: string, options?: CallOptions): Promise<Float32Array | null>;
  /** Cosine of unrelated texts by this embedder, until the memory has measured its own (docs/formulas.md#background). */
  background(): Promise<{ readonly mean: number; readonly sd: number } | undefined>;
  nowUs(): TimeUs;
}

/** A hit with a record of a known kind. */
export type HitOf<K extends RecordKind> = Hit & { readonly record: RecordOf<K> };

interface Draft {
  readonly request: SearchRequest;
  readonly text?: { readonly said: string; readonly by: "both" | "meaning" | "words" };
  readonly onePerOwner: boolean;
}

/**
 * A search put together step by step: `memory.tracks().like("red mug").near(p, 5).during(a, b).live()`. Each step
 * returns a new query, so that a partial query may be kept and reused; `find`, `count` and `explain` run it. It
 * compiles to the one search that every engine answers.
 */
export class MemoryQuery<K extends RecordKind = RecordKind> {
  readonly #context: QueryContext;
  readonly #draft: Draft;

  constructor(
    context: QueryContext,
    kinds: readonly K[] | undefined,
    options: { onePerOwner?: boolean } = {},
    draft?: Draft,
  ) {
    this.#context = context;
    this.#draft = draft ?? { request: kinds ? { kinds } : {}, onePerOwner: options.onePerOwner ?? false };
  }

  /** Means something like this text: by vector and by words, fused. */
  like(text: string): MemoryQuery<K> {
    return this.#with({ text: { said: text, by: "both" } });
  }

  /** By meaning alone. */
  meaning(text: string, threshold: { minCosine?: number; minZ?: number } = {}): MemoryQuery<K> {
    return this.#with({
      text: { said: text, by: "meaning" },
      request: { meaning: { ...this.#draft.request.meaning, ...threshold } },
    });
  }

  /** By words alone (BM25). */
  words(text: string): MemoryQuery<K> {
    return this.#with({ text: { said: text, by: "words" } });
  }

  /** By a vector of this memory's text embedder. */
  byVector(vector: Float32Array): MemoryQuery<K> {
    return this.#with({ request: { meaning: { ...this.#draft.request.meaning, vector } } });
  }

  /** By an image vector of this memory's image embedder. */
  looksLike(image: Float32Array): MemoryQuery<K> {
    return this.#with({ request: { meaning: { ...this.#draft.request.meaning, image } } });
  }

  near(
    centre: Vec3,
    radiusM: number,
    options: { metric?: DistanceMetric; frame?: string } = {},
  ): MemoryQuery<K> {
    return this.#space({ type: "radius", centre, radiusM, ...options });
  }

  nearest(
    point: Vec3,
    options: { maxM?: number; metric?: DistanceMetric; frame?: string } = {},
  ): MemoryQuery<K> {
    return this.#space({ type: "nearest", point, ...options });
  }

  inBox({ min, max }: Box): MemoryQuery<K> {
    return this.#space({ type: "box", min, max });
  }

  inRegion(polygon: Polygon): MemoryQuery<K> {
    return this.#space({ type: "region", ...polygon });
  }

  inCone(cone: Cone, frame?: string): MemoryQuery<K> {
    return this.#space({ type: "cone", ...cone, ...(frame === undefined ? {} : { frame }) });
  }

  inView(frustum: Frustum, frame?: string): MemoryQuery<K> {
    return this.#space({ type: "frustum", ...frustum, ...(frame === undefined ? {} : { frame }) });
  }

  /** Was so at some time in [from, to). */
  during(from: Moment, to: Moment | null): MemoryQuery<K> {
    return this.#time({ overlaps: { fromUs: momentUs(from), toUs: to === null ? null : momentUs(to) } });
  }

  before(moment: Moment): MemoryQuery<K> {
    return this.#time({ before: momentUs(moment) });
  }

  after(moment: Moment): MemoryQuery<K> {
    return this.#time({ after: momentUs(moment) });
  }

  /** Is so now, as far as the memory knows; added to other time conditions, it must hold too. */
  live(): MemoryQuery<K> {
    const nowUs = this.#context.nowUs();
    const known = this.#draft.request.time?.overlaps;
    const fromUs = Math.max(known?.fromUs ?? nowUs, nowUs);
    return this.#time({
      overlaps: { fromUs, toUs: Math.max(fromUs + 1, Math.min(known?.toUs ?? nowUs + 1, nowUs + 1)) },
    });
  }

  where(conditions: ScalarKey): MemoryQuery<K> {
    return this.#with({ request: { where: { ...this.#draft.request.where, ...conditions } } });
  }

  rankedBy(rank: RankBy): MemoryQuery<K> {
    return this.#with({ request: { rank } });
  }

  /** May be answered approximately where the memory is large; see `SearchRequest.approximate`. */
  approximately(): MemoryQuery<K> {
    return this.#with({ request: { approximate: true } });
  }

  /** The hits, best first. */
  async find(limit = DEFAULT_LIMIT, options: CallOptions = {}): Promise<HitOf<K>[]> {
    return (await this.explain(limit, options)).hits;
  }

  async findOne(options: CallOptions = {}): Promise<HitOf<K> | undefined> {
    return (await this.find(1, options))[0];
  }

  async count(options: CallOptions = {}): Promise<number> {
    return (await this.#context.reader()).count(await this.compile(), options);
  }

  /** The hits with the plan that found them. */
  async explain(
    limit = DEFAULT_LIMIT,
    options: CallOptions = {},
  ): Promise<{ hits: HitOf<K>[]; plan: SearchPlan }> {
    const reader = await this.#context.reader();
    const request = await this.compile(options);
    // Several states of one track may rank together: ask for more until enough different ones are in.
    for (let asked = limit; ; asked = Math.min(asked * 4, LIMITS.hitsPerSearch)) {
      const { hits, plan } = await reader.search({ ...request, limit: asked }, options);
      const kept = this.#draft.onePerOwner ? onePerOwner(hits) : hits;
      if (kept.length >= limit || hits.length < asked || asked === LIMITS.hitsPerSearch)
        return { hits: kept.slice(0, limit) as HitOf<K>[], plan };
    }
  }

  /** The request that engines answer. */
  async compile(options: CallOptions = {}): Promise<SearchRequest> {
    const { request, text } = this.#draft;
    if (text === undefined) return request;
    const vector = text.by === "words" ? null : await this.#context.embedText(text.said, options);
    const useWords = text.by !== "meaning";
    if (vector === null && !useWords) {
      throw new LociError(
        "invalid-input",
        `"${text.said.slice(0, 60)}" has no meaning to this embedder; search by words`,
      );
    }
    return {
      ...request,
      meaning: {
        ...(await this.#threshold(request.meaning)),
        ...(vector ? { vector } : {}),
        ...(useWords ? { words: text.said } : {}),
      },
    };
  }

  /** Thresholds in z-units before the memory has a calibration of its own: by the embedder's background. */
  async #threshold(meaning: MeaningKey | undefined): Promise<MeaningKey> {
    if (meaning?.minZ === undefined) return meaning ?? {};
    if ((await (await this.#context.reader()).calibration("text")) !== null) return meaning;
    const background = await this.#context.background();
    if (background === undefined) return meaning;
    const { minZ, ...rest } = meaning;
    const least = background.mean + minZ * background.sd;
    return { ...rest, minCosine: Math.max(rest.minCosine ?? Number.NEGATIVE_INFINITY, least) };
  }

  #space(space: SpaceKey): MemoryQuery<K> {
    if (this.#draft.request.space)
      throw new LociError("invalid-input", "a query has one place; combine several searches instead");
    return this.#with({ request: { space } });
  }

  #time(time: TimeKey): MemoryQuery<K> {
    return this.#with({ request: { time: { ...this.#draft.request.time, ...time } } });
  }

  #with(change: { request?: SearchRequest; text?: Draft["text"] }): MemoryQuery<K> {
    const draft = {
      ...this.#draft,
      request: { ...this.#draft.request, ...change.request },
      ...(change.text ? { text: change.text } : {}),
    };
    return new MemoryQuery<K>(this.#context, undefined, {}, draft);
  }
}

/** A moment in microseconds; other input is refused with an example. */
export function momentUs(moment: Moment): TimeUs {
  const us = typeof moment === "number" ? moment : new Date(moment).getTime() * 1000;
  if (!Number.isSafeInteger(us)) {
    throw new LociError(
      "invalid-input",
      `"${String(moment).slice(0, 60)}" is not a time; give ISO 8601 such as 2026-01-31T09:00:00Z, or whole microseconds`,
    );
  }
  return us;
}

function onePerOwner(hits: readonly Hit[]): Hit[] {
  const seen = new Set<string>();
  return hits.filter(({ record }) => {
    const owner = record.kind === "state" ? record.trackId : record.id;
    return !seen.has(owner) && seen.add(owner);
  });
}
