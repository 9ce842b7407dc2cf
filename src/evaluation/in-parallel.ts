/** Runs at most `width` at once, in order of start; the first failure stops new ones and is thrown. */
export async function inParallel<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  let broken = false;
  const worker = async () => {
    while (next < items.length && !broken) {
      const item = items[next++]!;
      try {
        await work(item);
      } catch (error) {
        broken = true;
        throw error;
      }
    }
  };
  const settled = await Promise.allSettled(Array.from({ length: Math.min(width, items.length) }, worker));
  const failure = settled.find(({ status }) => status === "rejected");
  if (failure?.status === "rejected") throw failure.reason;
}
