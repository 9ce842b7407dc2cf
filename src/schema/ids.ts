import { createHash, randomFillSync } from "node:crypto";

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Source of ids; injected wherever ids are made, so that a seeded run is reproducible. */
export type IdSource = () => string;

/**
 * ULIDs: 48 bits of milliseconds, then 80 random bits, so ids sort by creation. Within one millisecond the
 * random part counts upwards, which keeps the order strict inside one process.
 */
export function ulidSource(
  options: { nowMs?: () => number; randomBytes?: (n: number) => Uint8Array } = {},
): IdSource {
  const nowMs = options.nowMs ?? Date.now;
  const randomBytes = options.randomBytes ?? ((n: number) => randomFillSync(new Uint8Array(n)));
  let lastMs = -1;
  let random: number[] = [];
  return () => {
    const ms = Math.max(nowMs(), lastMs);
    if (ms > lastMs) {
      random = Array.from(randomBytes(16), (byte) => byte & 31);
      random[0] = random[0]! & 15; // Head-room, so that counting upwards cannot overflow the 80 bits.
    } else {
      let digit = 15;
      while (random[digit] === 31) random[digit--] = 0;
      random[digit]!++;
    }
    lastMs = ms;
    let head = "";
    for (let rest = ms, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) head = CROCKFORD[rest % 32]! + head;
    return head + random.map((digit) => CROCKFORD[digit]).join("");
  };
}

/** The id of imported data: the same content always has the same id, so that importing twice changes nothing. */
export function contentId(prefix: string, ...parts: readonly (string | number)[]): string {
  return `${prefix}-${createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 24)}`;
}

/** The name of a blob: sha256 of its bytes, in hex. */
export function blobRefOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
