import { LociError } from "../../schema/core.ts";

/**
 * Times in order, each once, as differences: little-endian groups of seven bits, whose highest bit marks that more
 * follow. The very first byte is the sign of the first time, which is counted from 1970. Steps of a second take three
 * bytes.
 */
export function packTimes(timesUs: readonly number[], most: number): Uint8Array {
  const sorted = Float64Array.from(new Set(timesUs)).sort().slice(-most);
  const bytes: number[] = [];
  let lastUs = 0;
  for (const [n, timeUs] of sorted.entries()) {
    if (n === 0) bytes.push(timeUs < 0 ? 1 : 0);
    let rest = n === 0 ? Math.abs(timeUs) : timeUs - lastUs;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
    lastUs = timeUs;
  }
  return Uint8Array.from(bytes);
}

/** The packed times, in order. */
export function unpackTimes(bytes: Uint8Array): Float64Array {
  const times: number[] = [];
  let [value, scale] = [0, 1];
  for (let at = 1; at < bytes.length; at++) {
    const byte = bytes[at]!;
    value += (byte % 128) * scale;
    scale *= 128;
    if (byte >= 128) continue;
    times.push(times.length === 0 ? (bytes[0] === 1 ? -value : value) : times.at(-1)! + value);
    if (!Number.isSafeInteger(times.at(-1)))
      throw new LociError("memory-corrupt", "a list of times holds what is no time; run verify");
    [value, scale] = [0, 1];
  }
  if (scale !== 1) throw new LociError("memory-corrupt", "a list of times ends within one; run verify");
  return Float64Array.from(times);
}
