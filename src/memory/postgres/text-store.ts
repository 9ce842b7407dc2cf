import { hash } from "node:crypto";
import { assert } from "../../schema/core.ts";
import { textHash } from "../rows/text-hash.ts";
import { copyText, copyVectors } from "./copy-data.ts";
import type { Session } from "./database.ts";
import type { SceneState } from "./scene.ts";
import { fromText, toText } from "./text.ts";

/** Texts, images and their vectors by content, inside a transaction that holds the scene: each is stored once. */
export class TextStore {
  readonly #session: Session;
  readonly #scene: SceneState;
  readonly #texts = new Map<string, number>();
  readonly #images = new Map<string, number>();
  /** Texts and blobs that were looked up already. */
  readonly #asked = { texts: new Set<string>(), blobs: new Set<string>() };
  readonly #withVector = new Set<number>();
  /** Meanings that this transaction made. */
  readonly #fresh = new Set<number>();

  constructor(session: Session, scene: SceneState) {
    this.#session = session;
    this.#scene = scene;
  }

  meaningOf = (text: string): number => {
    const id = this.#texts.get(text);
    assert(id !== undefined, "a text is added before it is named");
    return id;
  };

  imageOf = (blob: string): number => {
    const id = this.#images.get(blob);
    assert(id !== undefined, "an image is added before it is named");
    return id;
  };

  /** Finds which of these texts and images are there, and have a vector, all at once. */
  async lookUp(texts: readonly string[], blobs: readonly string[]): Promise<void> {
    const { sceneId } = this.#scene;
    const hashes = new Map<string, number>();
    for (const text of texts) if (!this.#asked.texts.has(text)) hashes.set(text, textHash(text));
    const addresses = new Map<string, string>();
    for (const blob of blobs)
      if (!this.#asked.blobs.has(blob)) addresses.set(imageAddress(blob).toString("hex"), blob);
    await Promise.all([
      findTexts(this.#session, sceneId, hashes).then((found) => {
        for (const [text, { meaning, hasVector }] of found) {
          this.#texts.set(text, meaning);
          if (hasVector) this.#withVector.add(meaning);
        }
      }),
      findImages(this.#session, sceneId, addresses).then((found) => {
        for (const [blob, { meaning, hasVector }] of found) {
          this.#images.set(blob, meaning);
          if (hasVector) this.#withVector.add(meaning);
        }
      }),
    ]);
    for (const text of hashes.keys()) this.#asked.texts.add(text);
    for (const blob of addresses.values()) this.#asked.blobs.add(blob);
  }

  /** Stores the missing ones of these texts. */
  async addTexts(texts: readonly string[]): Promise<void> {
    await this.lookUp(texts, []);
    const rows = [...new Set(texts)].flatMap((text) => {
      if (this.#texts.has(text)) return [];
      const id = this.#next();
      this.#texts.set(text, id);
      return [[this.#scene.sceneId, id, toText(text), textHash(text)]];
    });
    if (rows.length > 0)
      await this.#session.copy("meaning (scene_id, id, text, hash)", copyText(rows), "text");
  }

  async addImages(blobs: readonly string[]): Promise<void> {
    await this.lookUp([], blobs);
    const rows = [...new Set(blobs)].flatMap((blob) => {
      if (this.#images.has(blob)) return [];
      const id = this.#next();
      this.#images.set(blob, id);
      return [[this.#scene.sceneId, id, imageAddress(blob)]];
    });
    if (rows.length > 0) await this.#session.copy("meaning (scene_id, id, image)", copyText(rows), "text");
  }

  /** The first vector of a meaning is kept. */
  async putVectors(
    list: readonly { readonly meaning: number; readonly vector: Float32Array }[],
  ): Promise<void> {
    const wanted = new Map<number, Float32Array>();
    for (const { meaning, vector } of list)
      if (!this.#withVector.has(meaning)) wanted.set(meaning, wanted.get(meaning) ?? vector);
    if (wanted.size === 0) return;
    // Existing rows have a vector from now on.
    if ([...wanted.keys()].some((meaning) => !this.#fresh.has(meaning))) this.#scene.epoch++;
    for (const meaning of wanted.keys()) this.#withVector.add(meaning);
    const vectors = [...wanted].map(([meaning, vector]) => ({ meaning, vector }));
    await this.#session.copy(
      "meaning_vector (scene_id, meaning, embedding)",
      copyVectors(this.#scene.sceneId, vectors),
      "binary",
    );
  }

  #next(): number {
    const id = ++this.#scene.meaningId;
    this.#fresh.add(id);
    return id;
  }
}

/** A stored text or image. */
interface Found {
  readonly meaning: number;
  readonly hasVector: boolean;
}

const HAS_VECTOR =
  "EXISTS (SELECT 1 FROM meaning_vector v WHERE v.scene_id = $1 AND v.meaning = m.id) AS has_vector";

/** The stored ones of these texts, which come with their hashes. */
export async function findTexts(
  session: Session,
  sceneId: number,
  wanted: ReadonlyMap<string, number>,
): Promise<Map<string, Found>> {
  const found = new Map<string, Found>();
  if (wanted.size === 0) return found;
  for (const [id, stored, hasVector] of await session.rows(
    `SELECT m.id, m.text, ${HAS_VECTOR} FROM meaning m WHERE m.scene_id = $1 AND m.hash = ANY($2::bigint[])`,
    [sceneId, [...new Set(wanted.values())]],
  )) {
    // A hash only points: equal hashes of different texts do no harm.
    const text = fromText(String(stored));
    if (wanted.has(text)) found.set(text, { meaning: Number(id), hasVector: hasVector === true });
  }
  return found;
}

/** The stored ones of these images; blobs by their addresses. */
async function findImages(
  session: Session,
  sceneId: number,
  wanted: ReadonlyMap<string, string>,
): Promise<Map<string, Found>> {
  const found = new Map<string, Found>();
  if (wanted.size === 0) return found;
  for (const [id, address, hasVector] of await session.rows(
    `SELECT m.id, encode(m.image, 'hex'), ${HAS_VECTOR} FROM meaning m
       WHERE m.scene_id = $1 AND m.image IN (SELECT decode(a, 'hex') FROM unnest($2::text[]) a)`,
    [sceneId, [...wanted.keys()]],
  ))
    found.set(wanted.get(String(address))!, { meaning: Number(id), hasVector: hasVector === true });
  return found;
}

/** Content address of the image in a blob: 128 bits are enough to never meet a second one with the same. */
export function imageAddress(blob: string): Buffer {
  return hash("sha256", `i${blob}`, "buffer").subarray(0, 16);
}
