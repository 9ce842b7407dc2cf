import { RECORD_KINDS, type RecordKind } from "../../schema/core.ts";
import type { MemoryStats } from "../port.ts";
import { imageAddress } from "./text-store.ts";
import type { Look } from "./view.ts";
import { addBelieved, addVisible, Where } from "./where.ts";

/**
 * Counts of what this reader can see. For all but the owner they cover readable rows only, because a total would reveal
 * hidden ones. Only the owner gets the bytes.
 */
export async function statsOf(look: Look, bytes: () => Promise<number>): Promise<MemoryStats> {
  const { options, eyes, scene } = look;
  const whole = eyes.unrestricted && options.asOfMemoryUs === undefined && options.asOfWorldUs === undefined;
  const { edges, graph } = await look.visibleFrames();
  const counts = await countsOf(
    look,
    edges.map(({ recordedAtUs }) => recordedAtUs),
  );
  return {
    ...counts,
    ...(eyes.unrestricted ? await wholeContents(look) : await visibleContents(look)),
    bytes: whole ? await bytes() : 0,
    frames: edges.length,
    embedder: scene.settings.embedders?.text ?? null,
    imageEmbedder: scene.settings.embedders?.image ?? null,
    mapRevision: options.mapRevision ?? graph.revision,
  };
}

type Contents = Pick<MemoryStats, "texts" | "vectors" | "blobs">;
type Counts = Omit<
  MemoryStats,
  keyof Contents | "bytes" | "frames" | "embedder" | "imageEmbedder" | "mapRevision"
>;

async function countsOf(look: Look, edgeTimes: readonly number[]): Promise<Counts> {
  const { session, sceneId, eyes, options } = look;
  const records = Object.fromEntries(RECORD_KINDS.map((kind) => [kind, 0])) as Record<RecordKind, number>;
  const there = addVisible(new Where(sceneId), options);
  let [firstUs, lastUs] = [null as number | null, null as number | null];
  for (const [kind, count, from, to] of await session.rows(
    `SELECT r.kind, count(*), min(r.valid_from), max(coalesce(r.valid_to, r.valid_from)) FROM record r WHERE ${there.sql} GROUP BY r.kind`,
    there.values,
  )) {
    records[RECORD_KINDS[Number(kind)]!] = Number(count);
    firstUs = Math.min(firstUs ?? Number(from), Number(from));
    lastUs = Math.max(lastUs ?? Number(to), Number(to));
  }
  const written = new Where(sceneId).add("r.recorded_at <= ?", eyes.untilUs);
  if (!eyes.unrestricted) written.add("r.labels <@ ?::text[]", eyes.held);
  const [versions, recordUs] = (
    await session.rows(
      `SELECT count(*), max(r.recorded_at) FROM record r WHERE ${written.sql}`,
      written.values,
    )
  )[0]!;
  const [sightings, sightingUs] = await sightingsOf(look);
  const [forgottenUs] = eyes.unrestricted
    ? (
        await session.rows("SELECT max(at) FROM forgotten WHERE scene_id = $1 AND at <= $2", [
          sceneId,
          eyes.untilUs,
        ])
      )[0]!
    : [null];
  const commits = [recordUs, sightingUs, forgottenUs, ...edgeTimes];
  return {
    records,
    versions: Number(versions),
    sightings: Number(sightings),
    firstUs,
    lastUs,
    lastCommitUs: commits.reduce<number | null>(
      (latest, at) => (at === null || at === undefined ? latest : Math.max(latest ?? Number(at), Number(at))),
      null,
    ),
  };
}

async function sightingsOf({ session, sceneId, eyes, options }: Look) {
  if (eyes.unrestricted)
    return (
      await session.rows(
        "SELECT count(*), max(recorded_at) FROM sighting WHERE scene_id = $1 AND recorded_at <= $2",
        [sceneId, eyes.untilUs],
      )
    )[0]!;
  // A sighting shows itself where its state does.
  const where = addBelieved(new Where(sceneId), options.asOfMemoryUs).add("r.labels <@ ?::text[]", eyes.held);
  const until = where.value(eyes.untilUs);
  const held = where.value(eyes.held);
  return (
    await session.rows(
      `SELECT count(*), max(s.recorded_at) FROM sighting s WHERE s.scene_id = $1 AND s.recorded_at <= ${until}
         AND s.labels <@ ${held}::text[] AND EXISTS (SELECT 1 FROM record r WHERE ${where.sql} AND r.id = s.state)`,
      where.values,
    )
  )[0]!;
}

async function wholeContents({ session, sceneId }: Look): Promise<Contents> {
  const [row] = await session.rows(
    `SELECT (SELECT count(*) FROM meaning WHERE scene_id = $1 AND text IS NOT NULL),
       (SELECT count(*) FROM meaning_vector WHERE scene_id = $1), (SELECT count(*) FROM blob WHERE scene_id = $1)`,
    [sceneId],
  );
  return { texts: Number(row![0]), vectors: Number(row![1]), blobs: Number(row![2]) };
}

/** Texts, vectors and blobs of the records that are visible, past versions too. */
async function visibleContents({ session, sceneId, eyes }: Look): Promise<Contents> {
  const readable = "r.scene_id = $1 AND r.recorded_at <= $2 AND r.labels <@ $3::text[]";
  const given = [sceneId, eyes.untilUs, eyes.held];
  const meanings = new Set(
    (await session.rows(`SELECT DISTINCT unnest(r.lines) FROM record r WHERE ${readable}`, given)).map(
      ([id]) => Number(id),
    ),
  );
  const texts = meanings.size;
  const blobs = (
    await session.rows(
      `SELECT DISTINCT encode(n.hash, 'hex') FROM record_blob n JOIN record r ON r.scene_id = n.scene_id AND r.row = n.row
         WHERE n.scene_id = $1 AND ${readable}`,
      given,
    )
  ).map(([ref]) => String(ref));
  for (const [id] of await session.rows(
    "SELECT id FROM meaning WHERE scene_id = $1 AND image IN (SELECT decode(a, 'hex') FROM unnest($2::text[]) a)",
    [sceneId, blobs.map((ref) => imageAddress(ref).toString("hex"))],
  ))
    meanings.add(Number(id));
  const [vectors] = await session.rows(
    "SELECT count(*) FROM meaning_vector WHERE scene_id = $1 AND meaning = ANY($2::integer[])",
    [sceneId, [...meanings]],
  );
  return { texts, vectors: Number(vectors![0]), blobs: blobs.length };
}
