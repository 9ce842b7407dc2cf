import { isLociError } from "../../schema/index.ts";

/** Default number of concurrent calls. */
export const PARALLEL = 4;

/** Null if the model gave no answer, and the caller's template is used; only an abort is thrown. */
export async function orNull<T>(asked: Promise<{ readonly output: T }>): Promise<T | null> {
  try {
    return (await asked).output;
  } catch (error) {
    if (!isLociError(error) || error.code === "aborted") throw error;
    return null;
  }
}

/** Works through items, at most `parallel` at once; the results are in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  parallel: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next++;
      results[at] = await work(items[at]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, items.length) }, worker));
  return results;
}
