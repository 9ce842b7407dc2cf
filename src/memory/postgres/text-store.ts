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

  /** Finds which of these texts are there, all at once, and stores the others. */
  async addTexts(texts: readonly string[]): Promise<void> {
    const unknown = new Map<string, number>();
    for (const text of texts)
      if (!this.#texts.has(text) && !unknown.has(text)) unknown.set(text, textHash(text));
    for (const [text, id] of await findTexts(this.#session, this.#scene.sceneId, unknown)) {
      this.#texts.set(text, id);
      unknown.delete(text);
    }
    if (unknown.size === 0) return;
    const rows = [...unknown].map(([text, hashed]) => {
      const id = this.#next();
      this.#texts.set(text, id);
      return [this.#scene.sceneId, id, toText(text), hashed];
    });
    await this.#session.copy("meaning (scene_id, id, text, hash)", copyText(rows), "text");
  }

  async addImages(blobs: readonly string[]): Promise<void> {
    const unknown = new Map<string, string>();
    for (const blob of blobs)
      if (!this.#images.has(blob)) unknown.set(imageAddress(blob).toString("hex"), blob);
    if (unknown.size === 0) return;
    for (const [id, address] of await this.#session.rows(
      `SELECT id, encode(image, 'hex') FROM meaning
         WHERE scene_id = $1 AND image IN (SELECT decode(a, 'hex') FROM unnest($2::text[]) a)`,
      [this.#scene.sceneId, [...unknown.keys()]],
    )) {
      this.#images.set(unknown.get(String(address))!, Number(id));
      unknown.delete(String(address));
    }
    const rows = [...unknown].map(([address, blob]) => {
      const id = this.#next();
      this.#images.set(blob, id);
      return [this.#scene.sceneId, id, Buffer.from(address, "hex")];
    });
    if (rows.length > 0) await this.#session.copy("meaning (scene_id, id, image)", copyText(rows), "text");
  }

  /** The first vector of a meaning is the one that stays. */
  async putVectors(
    list: readonly { readonly meaning: number; readonly vector: Float32Array }[],
  ): Promise<void> {
    const wanted = new Map<number, Float32Array>();
    for (const { meaning, vector } of list) if (!wanted.has(meaning)) wanted.set(meaning, vector);
    const old = [...wanted.keys()].filter((meaning) => !this.#fresh.has(meaning));
    if (old.length > 0) {
      for (const [meaning] of await this.#session.rows(
        "SELECT meaning FROM meaning_vector WHERE scene_id = $1 AND meaning = ANY($2::integer[])",
        [this.#scene.sceneId, old],
      ))
        wanted.delete(Number(meaning));
      if (old.some((meaning) => wanted.has(meaning))) this.#scene.epoch++;
    }
    if (wanted.size === 0) return;
    const vectors = [...wanted].map(([meaning, vector]) => ({ meaning, vector }));
    // A second vector of a meaning must be found by the look above, not by the key.
    for (const meaning of wanted.keys()) this.#fresh.delete(meaning);
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

/** The numbers of those of these texts that are there; texts come with their hashes. */
export async function findTexts(
  session: Session,
  sceneId: number,
  wanted: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  if (wanted.size === 0) return found;
  for (const [id, stored] of await session.rows(
    "SELECT id, text FROM meaning WHERE scene_id = $1 AND hash = ANY($2::bigint[])",
    [sceneId, [...new Set(wanted.values())]],
  )) {
    // A hash only points: equal hashes of different texts do no harm.
    const text = fromText(String(stored));
    if (wanted.has(text)) found.set(text, Number(id));
  }
  return found;
}

/** Content address of the image in a blob: 128 bits are enough to never meet a second one with the same. */
export function imageAddress(blob: string): Buffer {
  return hash("sha256", `i${blob}`, "buffer").subarray(0, 16);
}
