import { hash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { LociError } from "../../schema/core.ts";
import type { BlobStore } from "./blob-store.ts";
import { type SigningKeys, signed } from "./sign.ts";

const REQUEST_MS = 30_000;
/** How often a transient failure is retried. */
const TRIES = 5;
const PAUSE_MS = 200;

export interface S3Options {
  /** `https://host:port`. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly prefix: string;
  readonly keys: SigningKeys;
  /** The pause before a request is made a second time; each next is twice as long. */
  readonly pauseMs?: number;
}

/** Blobs as objects of a bucket, by path: what every S3-compatible store understands. */
export class S3Blobs implements BlobStore {
  readonly what: string;
  readonly #options: S3Options;

  constructor(options: S3Options) {
    this.#options = options;
    this.what = `s3://${[options.bucket, options.prefix].filter(Boolean).join("/")} at ${options.endpoint}`;
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.#ask("PUT", key, bytes);
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    const answer = await this.#ask("GET", key);
    return answer && new Uint8Array(answer);
  }

  async delete(key: string): Promise<void> {
    await this.#ask("DELETE", key);
  }

  /** The body of the answer; undefined where there is no such object. */
  async #ask(method: string, key: string, body?: Uint8Array): Promise<ArrayBuffer | undefined> {
    const { endpoint, bucket, prefix, keys, pauseMs = PAUSE_MS } = this.#options;
    const url = new URL([endpoint, bucket, prefix, key].filter(Boolean).join("/"));
    const bodyHash = hash("sha256", body ?? "");
    let failure: LociError | undefined;
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      // Not all at once: others wait for the same.
      if (attempt > 1) await sleep(pauseMs * 2 ** (attempt - 2) * (0.5 + Math.random() / 2));
      try {
        const answer = await fetch(url, {
          method,
          headers: signed({ method, url, headers: {}, bodyHash }, keys, new Date()),
          signal: AbortSignal.timeout(REQUEST_MS),
          ...(body && { body: body as Uint8Array<ArrayBuffer> }),
        });
        const said = await answer.arrayBuffer();
        if (answer.ok) return said;
        const code = /<Code>(\w+)<\/Code>/.exec(Buffer.from(said).toString("utf8", 0, 2_000))?.[1] ?? "";
        if (answer.status === 404 && code !== "NoSuchBucket") return undefined;
        failure = this.#refused(answer.status, code);
        if (answer.status < 500 && answer.status !== 429) break;
      } catch (cause) {
        failure = new LociError("source-unavailable", `blobs in ${this.what}: no answer`, { cause });
      }
    }
    throw failure;
  }

  #refused(status: number, code: string): LociError {
    const said = `blobs in ${this.what}: ${status}${code && ` ${code}`}`;
    if (status === 401 || status === 403)
      return new LociError("access-denied", `${said}; check the access key and what it may do`);
    if (status === 404) return new LociError("memory-not-found", `${said}; create the bucket first`);
    return new LociError("source-unavailable", `${said}; try again later`);
  }
}
