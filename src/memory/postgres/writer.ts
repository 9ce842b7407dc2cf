import { randomUUID } from "node:crypto";
import { type EmbedderInfo, LIMITS, LociError } from "../../schema/core.ts";
import { checkDisowned } from "../log.ts";
import type {
  Calibration,
  Commit,
  DumpRow,
  EmbedLines,
  ForgetOptions,
  ForgetReport,
  ForgetSelection,
  MemoryWriter,
  ReembedOptions,
  ReembedReport,
  VectorSpace,
  Work,
  WorkBegin,
  WriteBatch,
} from "../port.ts";
import { parseBatch } from "../rows/prepare-batch.ts";
import { textHash } from "../rows/text-hash.ts";
import type { Redacted } from "../rows/without-forgotten.ts";
import { type KeptWork, newWork, steppedWork, workOf } from "../rows/works.ts";
import { sweepBlobs } from "./blob-rows.ts";
import { measureBackground } from "./calibrate.ts";
import { commitBatch } from "./commit.ts";
import { type Database, type Session, transaction } from "./database.ts";
import { isGone, isInTheWay } from "./failure.ts";
import { forgetRecords, picturesToRedact } from "./forget.ts";
import { disownHeard, isHeard, nameOf, noteHeard, unchangedBy } from "./heard.ts";
import { patiently } from "./patience.ts";
import { reembedTexts } from "./reembed.ts";
import { restoreInSteps, restoreRows } from "./restore.ts";
import { type FrameCache, type Held, type SceneState, saveScene, sceneOf, selectScene } from "./scene.ts";
import { findTexts } from "./text-store.ts";

const PICTURES_PER_STEP = 16;
/** How long it is remembered that a transaction was committed, and how many commits pass between two clean-ups. */
const TOKEN_US = 3_600_000_000;
const TOKENS_PER_CLEANING = 256;

export interface WriterOptions {
  readonly database: Database;
  readonly sceneId: number;
  readonly frames: FrameCache;
  nowUs(): number;
  /** After each transaction that went through. */
  onChange(): void;
  onClose(): void;
}

/**
 * A writer of a scene; any number of them, in any number of processes, take turns at the scene's row. Each call is one
 * transaction, durable when its promise resolves, and done once even where the connection breaks while it commits.
 */
export class PostgresWriter implements MemoryWriter {
  readonly #options: WriterOptions;
  #closed = false;
  #commits = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  async write(batch: WriteBatch): Promise<Commit> {
    this.#ready();
    const parsed = parseBatch(batch);
    const { frames } = this.#options;
    return this.#committing(async ({ sending, scene }, commitUs) => {
      if (batch.from && (await isHeard(sending, scene.sceneId, batch.from)))
        return unchangedBy(batch, scene.commitUs);
      if (batch.work !== undefined) await stepWork(sending, scene.sceneId, batch.work, commitUs);
      await noteHeard(sending, scene, commitUs, batch);
      return commitBatch(sending, scene, parsed, commitUs, frames);
    });
  }

  async begin(work: WorkBegin): Promise<Work> {
    this.#ready();
    return this.#changing((held) => beginWork(held, work));
  }

  async finish(workId: string): Promise<void> {
    this.#ready();
    await this.#changing(({ session, scene }) =>
      session.run("DELETE FROM work WHERE scene_id = $1 AND id = $2", [scene.sceneId, workId]),
    );
  }

  async disown(memory: string, fromUs = 0): Promise<number> {
    this.#ready();
    return this.#changing(async ({ session, scene }) => {
      checkDisowned(memory, nameOf(scene));
      return disownHeard(session, scene.sceneId, memory, fromUs);
    });
  }

  async setEmbedder(space: VectorSpace, embedder: EmbedderInfo): Promise<void> {
    this.#ready();
    await this.#changing(async ({ session, scene }) => {
      const known = scene.settings.embedders?.[space];
      if (known?.id === embedder.id && known.dim === embedder.dim) return;
      const isText = space === "text" ? "IS NOT NULL" : "IS NULL";
      const [used] = await session.rows(
        `SELECT 1 FROM meaning_vector v JOIN meaning m ON m.scene_id = v.scene_id AND m.id = v.meaning
           WHERE v.scene_id = $1 AND m.scene_id = $1 AND m.text ${isText} LIMIT 1`,
        [scene.sceneId],
      );
      if (known !== undefined && used !== undefined)
        throw new LociError(
          "embedder-mismatch",
          `this memory's ${space} vectors are by ${known.id} (${known.dim}-d), not ${embedder.id} (${embedder.dim}-d); use the same embedder or reembed`,
        );
      if (!Number.isSafeInteger(embedder.dim) || embedder.dim < 1 || embedder.dim > LIMITS.vectorDim)
        throw new LociError(
          "invalid-input",
          `an embedder's dim is from 1 to ${LIMITS.vectorDim}, got ${embedder.dim}`,
        );
      const { id, dim } = embedder;
      scene.settings.embedders = { ...scene.settings.embedders, [space]: { id, dim } };
      scene.epoch++;
    });
  }

  async knownTexts(texts: readonly string[]): Promise<boolean[]> {
    this.#ready();
    if (texts.length === 0) return [];
    const { database, sceneId } = this.#options;
    return database.session(async (session) => {
      const found = await findTexts(session, sceneId, new Map(texts.map((text) => [text, textHash(text)])));
      return texts.map((text) => found.get(text)?.hasVector === true);
    });
  }

  async forget(selection: ForgetSelection, options: ForgetOptions = {}): Promise<ForgetReport> {
    this.#ready();
    const redacted = await this.#redact(selection, options);
    const instead = selection.instead && parseBatch(selection.instead);
    const report = await this.#committing(async ({ session, scene }, commitUs) => {
      if (instead) {
        await noteHeard(session, scene, commitUs, {});
        await commitBatch(session, scene, instead, commitUs, this.#options.frames);
        // The versions that these replace may be gone before an index reads them.
        scene.epoch++;
      }
      return forgetRecords(session, scene, selection, commitUs, redacted);
    });
    if (report.blobs > 0) await this.#changing(({ session, scene }) => sweepBlobs(session, scene.sceneId));
    // The server's log, its backups and replicas are not ours to wipe.
    return { ...report, wiped: false };
  }

  async #redact(selection: ForgetSelection, { redact }: ForgetOptions): Promise<Redacted> {
    const redacted = new Map<string, Uint8Array | null>();
    if (redact === undefined) return redacted;
    const { database, sceneId } = this.#options;
    const shown = await database.session((session) => picturesToRedact(session, sceneId, selection));
    for (let from = 0; from < shown.length; from += PICTURES_PER_STEP) {
      const some = shown.slice(from, from + PICTURES_PER_STEP);
      const made = await redact(some.map(({ bytes, boxes }) => ({ bytes, boxes })));
      some.forEach(({ ref }, i) => {
        redacted.set(ref, made[i] ?? null);
      });
    }
    return redacted;
  }

  async reembed(
    embedder: EmbedderInfo,
    embed: EmbedLines,
    options: ReembedOptions = {},
  ): Promise<ReembedReport> {
    this.#ready();
    return reembedTexts((work) => this.#changing(work, { during: "reembedding" }), embedder, embed, options);
  }

  async restore(
    rows: AsyncIterable<DumpRow>,
    { work }: { readonly work?: WorkBegin } = {},
  ): Promise<{ rows: number; resumedFrom?: number }> {
    this.#ready();
    if (work === undefined) return this.#changing((held) => restoreRows(held, rows), { once: true });
    await this.#changing((held) => beginWork(held, work), { during: "restoring" });
    const done = await restoreInSteps((step) => this.#changing(step, { during: "restoring" }), rows, work.id);
    await this.finish(work.id);
    return done;
  }

  async calibrate(space: VectorSpace): Promise<Calibration> {
    this.#ready();
    return this.#changing(async ({ session, scene }) => {
      const calibration = await measureBackground(session, scene, space);
      const { [space]: _before, ...others } = scene.settings.calibrations ?? {};
      // Without unlabelled records to measure it on, it would only replace the embedder's own.
      scene.settings.calibrations = calibration.pairs === 0 ? others : { ...others, [space]: calibration };
      return calibration;
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#options.onClose();
  }

  /** One commit with its own, strictly later, memory time. */
  #committing<T>(work: (held: Held, commitUs: number) => Promise<T>): Promise<T> {
    return this.#changing(async (held) => {
      const commitUs = Math.max(this.#options.nowUs(), held.scene.commitUs + 1);
      const result = await work(held, commitUs);
      held.scene.commitUs = commitUs;
      return result;
    });
  }

  /**
   * A transaction that holds the scene exclusively. Waits for other writers, a restart and a fail-over. If the
   * connection breaks at the commit, a token written in the same transaction tells whether it succeeded.
   */
  async #changing<T>(
    work: (held: Held) => Promise<T>,
    { during, once = false }: { during?: "reembedding" | "restoring"; once?: boolean } = {},
  ): Promise<T> {
    const token = randomUUID();
    return patiently(
      async (attempt) => {
        const done = attempt === 1 ? undefined : await this.#doneBefore<T>(token);
        const result = done === undefined ? await this.#once(token, work, during) : done.result;
        this.#options.onChange();
        return result;
      },
      (error) => (isInTheWay(error) || isGone(error)) && !once && !this.#closed,
    );
  }

  #once<T>(
    token: string,
    work: (held: Held) => Promise<T>,
    during: "reembedding" | "restoring" | undefined,
  ): Promise<T> {
    const { database, sceneId } = this.#options;
    return database.session((session) =>
      transaction(session, `BEGIN; ${selectScene(sceneId)} FOR UPDATE`, async ([row], sending) => {
        const scene = sceneOf(row);
        const { reembedding, restoring } = scene.settings;
        if (reembedding && during !== "reembedding")
          throw new LociError(
            "embedder-mismatch",
            `this memory is being moved to ${reembedding.embedder.id}; finish with reembed first`,
          );
        if (restoring && during !== "restoring")
          throw new LociError("memory-busy", "a copy into this memory is not finished; run it again first");
        const result = await work({ session, sending, scene });
        await saveScene(sending, scene);
        await keepToken(sending, scene, token, result, ++this.#commits % TOKENS_PER_CLEANING === 0);
        return result;
      }),
    );
  }

  #doneBefore<T>(token: string): Promise<{ result: T } | undefined> {
    const { database, sceneId } = this.#options;
    return database.session(async (session) => {
      const [row] = await session.rows("SELECT result FROM commit_token WHERE scene_id = $1 AND token = $2", [
        sceneId,
        token,
      ]);
      return row && { result: (JSON.parse(String(row[0])) as { result: T }).result };
    });
  }

  #ready(): void {
    if (this.#closed) throw new LociError("memory-closed", "this writer is closed; open another one");
  }
}

async function keepToken(
  session: Session,
  scene: SceneState,
  token: string,
  result: unknown,
  clean: boolean,
): Promise<void> {
  await session.run("INSERT INTO commit_token (scene_id, token, commit_us, result) VALUES ($1, $2, $3, $4)", [
    scene.sceneId,
    token,
    scene.commitUs,
    JSON.stringify({ result }),
  ]);
  if (clean)
    await session.run("DELETE FROM commit_token WHERE scene_id = $1 AND commit_us < $2", [
      scene.sceneId,
      scene.commitUs - TOKEN_US,
    ]);
}

/** Begins a work of many writes, or resumes an interrupted one. */
async function beginWork({ session, scene }: Held, work: WorkBegin): Promise<Work> {
  const known = await workBy(session, scene.sceneId, work.id);
  const kept = known ?? newWork(work, scene.commitUs);
  if (known === undefined) await keepWork(session, scene.sceneId, kept);
  return workOf(kept, scene.commitUs);
}

async function workBy(session: Session, sceneId: number, id: string): Promise<KeptWork | undefined> {
  const [row] = await session.rows("SELECT value FROM work WHERE scene_id = $1 AND id = $2", [sceneId, id]);
  return row && (JSON.parse(String(row[0])) as KeptWork);
}

async function keepWork(session: Session, sceneId: number, work: KeptWork): Promise<void> {
  await session.run(
    `INSERT INTO work (scene_id, id, value) VALUES ($1, $2, $3)
       ON CONFLICT (scene_id, id) DO UPDATE SET value = excluded.value`,
    [sceneId, work.id, JSON.stringify(work)],
  );
}

/** Notes one write of a work, in its transaction. */
async function stepWork(
  session: Session,
  sceneId: number,
  step: NonNullable<WriteBatch["work"]>,
  commitUs: number,
): Promise<void> {
  await keepWork(session, sceneId, steppedWork(await workBy(session, sceneId, step.id), step, commitUs));
}
