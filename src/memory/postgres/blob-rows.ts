import { blobRefOf, LociError } from "../../schema/core.ts";
import { eachBlob } from "../blobs/blob-store.ts";
import { copyText } from "./copy-data.ts";
import type { Session } from "./database.ts";

/**
 * Keeps blobs, in their rows or, where the session has one, in a store; inside a transaction that holds the scene, so
 * that no sweep removes them meanwhile. They are in the store before the rows that name them are committed.
 */
export async function putBlobs(
  session: Session,
  sceneId: number,
  blobs: ReadonlyMap<string, Uint8Array>,
  known?: ReadonlySet<string>,
): Promise<void> {
  if (blobs.size === 0) return;
  const there = known ?? (await knownBlobs(session, sceneId, [...blobs.keys()]));
  const fresh = [...blobs].filter(([ref]) => !there.has(ref));
  if (fresh.length === 0) return;
  const { blobs: store } = session;
  if (store) await eachBlob(fresh, ([ref, bytes]) => store.put(ref, bytes));
  await session.copy(
    "blob (scene_id, hash, size, data)",
    copyText(
      fresh.map(([ref, bytes]) => [sceneId, Buffer.from(ref, "hex"), bytes.length, store ? null : bytes]),
    ),
    "text",
  );
}

/** Which of these blobs are there. */
export async function knownBlobs(
  session: Session,
  sceneId: number,
  refs: readonly string[],
): Promise<Set<string>> {
  if (refs.length === 0) return new Set();
  const rows = await session.rows(
    "SELECT encode(hash, 'hex') FROM blob WHERE scene_id = $1 AND hash IN (SELECT decode(h, 'hex') FROM unnest($2::text[]) h)",
    [sceneId, refs.filter((ref) => /^[0-9a-f]{64}$/.test(ref))],
  );
  return new Set(rows.map(([ref]) => String(ref)));
}

/** The bytes of the present ones of these blobs. */
export async function readBlobs(
  session: Session,
  sceneId: number,
  refs: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const rows = await session.rows(
    "SELECT encode(hash, 'hex'), data FROM blob WHERE scene_id = $1 AND hash IN (SELECT decode(h, 'hex') FROM unnest($2::text[]) h)",
    [sceneId, refs],
  );
  const found = new Map<string, Uint8Array>();
  await eachBlob(rows, async ([name, data]) => {
    const ref = String(name);
    found.set(ref, data === null ? await fromStore(session, ref) : new Uint8Array(data as Uint8Array));
  });
  return found;
}

async function fromStore(session: Session, ref: string): Promise<Uint8Array> {
  const { blobs } = session;
  if (blobs === undefined)
    throw new LociError(
      "source-unavailable",
      `blob ${ref.slice(0, 12)} lies in a store that the URL does not name; add ?blobs=…`,
    );
  const bytes = await blobs.get(ref);
  if (bytes === undefined || blobRefOf(bytes) !== ref)
    throw new LociError(
      "memory-corrupt",
      `blob ${ref.slice(0, 12)} is ${bytes ? "not what was written" : "missing"} in ${blobs.what}`,
    );
  return bytes;
}

/** Deletes blobs that no record names; those in a store are deleted after the commit. */
export async function dropBlobs(session: Session, sceneId: number): Promise<number> {
  const orphaned = `b.scene_id = $1 AND NOT EXISTS
    (SELECT 1 FROM record_blob n WHERE n.scene_id = $1 AND n.hash = b.hash)`;
  await session.run(
    `INSERT INTO blob_leaving (scene_id, hash)
       SELECT b.scene_id, b.hash FROM blob b WHERE ${orphaned} AND b.data IS NULL ON CONFLICT DO NOTHING`,
    [sceneId],
  );
  return session.run(`DELETE FROM blob b WHERE ${orphaned}`, [sceneId]);
}

/**
 * Takes what was given up out of the store, unless it was written again since; inside a transaction that holds the scene.
 * What a cut-off leaves behind the next one takes.
 */
export async function sweepBlobs(session: Session, sceneId: number): Promise<void> {
  const { blobs: store } = session;
  if (store === undefined) return;
  const rows = await session.rows(
    `SELECT encode(l.hash, 'hex'), EXISTS (SELECT 1 FROM blob b WHERE b.scene_id = $1 AND b.hash = l.hash)
       FROM blob_leaving l WHERE l.scene_id = $1`,
    [sceneId],
  );
  await eachBlob(
    rows.filter(([, isThere]) => isThere === false),
    ([ref]) => store.delete(String(ref)),
  );
  if (rows.length > 0) await session.run("DELETE FROM blob_leaving WHERE scene_id = $1", [sceneId]);
}
