import type { Transform } from "../../geometry/index.ts";
import type { Hit, MemoryReader, ReaderOptions, SearchPlan, SearchRequest } from "../../memory/index.ts";
import type { TextEmbedder } from "../../models/embedder.ts";
import { LociError, throwIfAborted } from "../../schema/core.ts";
import type { EvidenceCluster, Item, ReadItem } from "../evidence.ts";
import type { SearchForest } from "../forest/search-forest.ts";
import type { ChildSelector } from "../forest/selector.ts";
import type { Plan } from "../plan/plan.ts";
import type { Step, StepOf } from "../plan/steps.ts";

/** What a plan runs on. Everything but the memory is optional; a step reports missing requirements. */
export interface PlanContext {
  readonly reader: MemoryReader;
  readonly embedder?: TextEmbedder;
  readonly forest?: SearchForest;
  /** The asker's now, in world time. */
  readonly nowUs: number;
  /** The asker's pose: worldFromBody, +X forward. */
  readonly pose?: Transform;
  /** The picture given with the question, as a vector of the memory's image embedder. */
  readonly image?: Float32Array;
  /** Opens the same memory as of another time; the provider closes what it opened. */
  readonly readerAsOf?: (view: Pick<ReaderOptions, "asOfWorldUs" | "asOfMemoryUs">) => Promise<MemoryReader>;
  readonly selector?: ChildSelector;
  /** Scores views by their features for a text, from -1 to 1, the best first; of a memory without image vectors. */
  readonly looks?: (text: string) => Promise<readonly { readonly id: string; readonly score: number }[]>;
  readonly signal?: AbortSignal;
}

export interface StepResult {
  readonly items: readonly Item[];
  readonly clusters?: readonly EvidenceCluster[];
  /** Nothing stood out: what is here was taken for want of better. */
  readonly weak?: boolean;
}

/** What a step did and what it cost. */
export interface StepTrace {
  readonly as: string;
  readonly op: string;
  /** Its own time, without the steps it reads. */
  readonly ms: number;
  readonly items: number;
  /** Records that the engine looked at, as far as it reports them. */
  readonly touched: number;
  /** Some of the rejected records, with the reason. */
  readonly rejected: readonly { readonly id: string; readonly why: string }[];
  readonly rejectedCount: number;
  readonly notes: readonly string[];
}

export type Operators = { readonly [O in Step["op"]]: (step: StepOf<O>, run: Run) => Promise<StepResult> };

const SHOWN_REJECTIONS = 20;
const MIN_SD = 1e-3;

interface Notes {
  touched: number;
  rejected: { id: string; why: string }[];
  rejectedCount: number;
  notes: string[];
  childMs: number;
}

/** One execution of one plan: every step at most once, each with its trace. */
export class Run {
  readonly context: PlanContext;
  readonly plan: Plan;
  readonly trace: StepTrace[] = [];
  encodeMs = 0;
  readonly #operators: Operators;
  readonly #steps: ReadonlyMap<string, Step>;
  readonly #results = new Map<string, StepResult>();
  readonly #vectors = new Map<string, Float32Array | null>();
  readonly #read = new Map<string, Hit>();
  readonly #common = new Map<string, Set<number>>();
  readonly #stack: Notes[] = [];
  #background: Promise<{ mean: number; sd: number } | undefined> | undefined;
  #sameEmbedder: boolean | undefined;

  constructor(plan: Plan, context: PlanContext, operators: Operators) {
    this.plan = plan;
    this.context = context;
    this.#operators = operators;
    this.#steps = new Map(plan.steps.map((step) => [step.as, step]));
  }

  step(name: string): Step {
    const step = this.#steps.get(name);
    if (step === undefined) throw new LociError("invalid-input", `the plan has no step "${name}"`);
    return step;
  }

  /** The result of a step, run now if it has not been. */
  async input(name: string): Promise<StepResult> {
    const known = this.#results.get(name);
    if (known) return known;
    const step = this.step(name);
    throwIfAborted(this.context.signal);
    const began = performance.now();
    const notes: Notes = { touched: 0, rejected: [], rejectedCount: 0, notes: [], childMs: 0 };
    this.#stack.push(notes);
    let result: StepResult;
    try {
      // The operator of a step's own kind; TypeScript cannot follow the union through the table.
      result = await (this.#operators[step.op] as (s: Step, run: Run) => Promise<StepResult>)(step, this);
    } finally {
      this.#stack.pop();
    }
    const total = performance.now() - began;
    const parent = this.#stack.at(-1);
    if (parent) parent.childMs += total;
    const { childMs, ...rest } = notes;
    this.trace.push({ as: name, op: step.op, ms: total - childMs, items: result.items.length, ...rest });
    this.#results.set(name, result);
    return result;
  }

  reject(id: string, why: string): void {
    const notes = this.#stack.at(-1);
    if (notes === undefined) return;
    notes.rejectedCount++;
    if (notes.rejected.length < SHOWN_REJECTIONS) notes.rejected.push({ id, why });
  }

  note(text: string): void {
    this.#stack.at(-1)?.notes.push(text);
  }

  async search(request: SearchRequest, reader = this.context.reader): Promise<Hit[]> {
    if (request.where?.ids?.length === 0) return [];
    const { hits, plan } = await reader.search(request, this.#call);
    this.#touch(plan, hits.length);
    return hits;
  }

  async searchIds(request: SearchRequest, reader = this.context.reader) {
    if (request.where?.ids?.length === 0) return [];
    const hits = await reader.searchIds(request, this.#call);
    const notes = this.#stack.at(-1);
    if (notes) notes.touched += hits.length;
    return hits;
  }

  /** The items with their records, in order; items that this reader cannot see are left out. */
  async read(items: readonly Item[]): Promise<ReadItem[]> {
    const missing = items.filter((item) => item.hit === undefined && !this.#read.has(item.id));
    const ids = [...new Set(missing.map(({ id }) => id))];
    for (const hit of await this.search({ where: { ids }, rank: "id", limit: Math.max(1, ids.length) }))
      this.#read.set(hit.record.id, hit);
    return items.flatMap((item) => {
      const hit = item.hit ?? this.#read.get(item.id);
      return hit ? [{ ...item, hit }] : [];
    });
  }

  /** Concepts of a step whose own words are common in the memory; the same for every search of the step. */
  commonConcepts(step: string): Set<number> {
    const common = this.#common.get(step) ?? new Set();
    this.#common.set(step, common);
    return common;
  }

  /** The vector of a text, or null if meaning cannot be searched: no embedder, no vectors yet, no meaning. */
  async vector(text: string): Promise<Float32Array | null> {
    const known = this.#vectors.get(text);
    if (known !== undefined) return known;
    const { embedder } = this.context;
    if (embedder === undefined || !(await this.#comparable(embedder))) return null;
    const began = performance.now();
    const [vector] = await embedder.embed([text], this.#call);
    const spent = performance.now() - began;
    this.encodeMs += spent;
    const notes = this.#stack.at(-1);
    if (notes) notes.childMs += spent;
    this.#vectors.set(text, vector ?? null);
    return vector ?? null;
  }

  /** Cosine of unrelated texts: the memory's own measurement, else what is known of the embedder. */
  background(): Promise<{ mean: number; sd: number } | undefined> {
    this.#background ??= this.context.reader
      .calibration("text")
      .then((measured) => measured ?? this.context.embedder?.background);
    return this.#background;
  }

  /** The cosine at a z-score above the background; undefined if the background is unknown. */
  async cosineOfZ(z: number): Promise<number | undefined> {
    const background = await this.background();
    return background && background.mean + z * Math.max(MIN_SD, background.sd);
  }

  async zOf(cosine: number | undefined): Promise<number | undefined> {
    const background = await this.background();
    if (background === undefined || cosine === undefined) return undefined;
    return (cosine - background.mean) / Math.max(MIN_SD, background.sd);
  }

  /** Another plan on the same context, with its trace beside this one's. */
  async nested(plan: Plan, out: string): Promise<StepResult> {
    const inner = new Run(plan, this.context, this.#operators);
    const began = performance.now();
    const result = await inner.input(out);
    const notes = this.#stack.at(-1);
    if (notes) notes.childMs += performance.now() - began;
    this.trace.push(...inner.trace);
    this.encodeMs += inner.encodeMs;
    return result;
  }

  get #call(): { signal?: AbortSignal } {
    return this.context.signal === undefined ? {} : { signal: this.context.signal };
  }

  #touch(plan: SearchPlan, hits: number): void {
    const notes = this.#stack.at(-1);
    if (notes) notes.touched += plan.steps[0]?.left ?? hits;
  }

  async #comparable(embedder: TextEmbedder): Promise<boolean> {
    if (this.#sameEmbedder === undefined) {
      const written = await this.context.reader.embedder("text");
      if (written !== null && written.id !== embedder.info.id) {
        throw new LociError(
          "embedder-mismatch",
          `this memory's vectors are by ${written.id}, not ${embedder.info.id}; choose that embedder, or move the memory with reembed`,
        );
      }
      this.#sameEmbedder = written !== null;
    }
    return this.#sameEmbedder;
  }
}
