import type { MemoryReader } from "../memory/index.ts";

interface Kept {
  readonly revision: string;
  readonly values: Map<string, Promise<unknown>>;
}

const KEPT = new WeakMap<MemoryReader, Kept>();
/** Of one state of a memory so much is kept; a memory has few scenes. */
const MOST_VALUES = 256;

/**
 * What `read` gives, read once for each state of the memory: for what every question needs and no question changes,
 * as rooms and names. Where the engine cannot tell its states apart it is read each time.
 */
export async function keptUntilCommit<T>(
  reader: MemoryReader,
  key: string,
  read: () => Promise<T>,
): Promise<T> {
  const revision = reader.revision?.();
  if (revision === undefined) return read();
  let kept = KEPT.get(reader);
  if (kept?.revision !== revision || kept.values.size >= MOST_VALUES) {
    kept = { revision, values: new Map() };
    KEPT.set(reader, kept);
  }
  const { values } = kept;
  const known = values.get(key);
  // Who reads for all may be stopped by whoever asked; the others then read for themselves.
  if (known !== undefined) return (known as Promise<T>).catch(read);
  const made = read();
  values.set(key, made);
  made.catch(() => values.delete(key));
  return made;
}
