/** Bytes by key; keys consist of letters, digits, `-` and `/`, and their content never changes. */
export interface BlobStore {
  /** For people, without secrets. */
  readonly what: string;
  /** Durable when it resolves. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  get(key: string): Promise<Uint8Array | undefined>;
  /** Deleting a missing key succeeds. */
  delete(key: string): Promise<void>;
}

/** A part of a store: scenes share nothing, so that content forgotten by one is deleted. */
export function partOf(store: BlobStore, name: string): BlobStore {
  return {
    what: store.what,
    put: (key, bytes) => store.put(`${name}/${key}`, bytes),
    get: (key) => store.get(`${name}/${key}`),
    delete: (key) => store.delete(`${name}/${key}`),
  };
}

/** How many blobs are sent to or read from a store at once. */
export const BLOBS_AT_ONCE = 8;

/** Does work for each, a few at once. */
export async function eachBlob<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(BLOBS_AT_ONCE, queue.length) }, worker));
}
