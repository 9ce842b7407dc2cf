import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type Segment, seal, unseal } from "./segment.ts";

const SENDER = "e".repeat(32);
const batch = (atUs: number, records: readonly object[]) => ({
  from: { memory: SENDER, atUs },
  ...{ derived: false, records, sightings: [], frames: [], imageVectors: [] },
});
const segment = (batches: readonly object[]) =>
  ({
    sender: SENDER,
    assumes: {},
    reaches: {},
    told: "0".repeat(64),
    batches,
    blobs: new Map(),
  }) as unknown as Segment;

/** A segment with correct checksums around any JSON. */
function sealedBy(json: string | Buffer): Uint8Array {
  const real = Buffer.from(seal(segment([])).bytes);
  const headBytes = real.readUInt32BE(40);
  const head = JSON.parse(real.toString("utf8", 44, 44 + headBytes));
  const packed = gzipSync(json, { level: 9 });
  const begin = Buffer.from(JSON.stringify({ ...head, jsonBytes: packed.length }));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(begin.length);
  const rest = Buffer.concat([length, begin, packed]);
  return Buffer.concat([Buffer.from("LOCI-SEG"), createHash("sha256").update(rest).digest(), rest]);
}

const rows = (count: number) =>
  `{"batches":[{"memory":"${SENDER}","atUs":1,"derived":false,"records":[${Array.from({ length: count }, () => "{}").join()}],"sightings":[],"frames":[],"imageVectors":[]}],"blobs":[]}`;

describe("a segment", () => {
  it("is what was sealed", async () => {
    const made = segment([batch(1, [{ id: "a", text: ["ünïcode"] }]), batch(2, [])]);
    expect(await unseal(seal(made).bytes)).toEqual(made);
  });

  it.each([
    ["spaces that unpack a thousand times", Buffer.alloc(100 * 1024 * 1024, " "), "limit-exceeded"],
    ["more rows than a batch has", rows(100_001), "limit-exceeded"],
    ["more parts than any has", rows(1_000_001), "limit-exceeded"],
    ["levels without end", "[".repeat(1_000_000), "invalid-input"],
    ["half of its JSON", rows(10).slice(0, -20), "invalid-input"],
  ])("is refused with %s", async (_, json, code) => {
    await expect(unseal(sealedBy(json))).rejects.toMatchObject({ code });
  });

  it("holds nobody up while it is unpacked and read", async () => {
    let turns = 0;
    let isRead = false;
    const turn = (): void => {
      turns++;
      if (!isRead) setImmediate(turn);
    };
    const bytes = sealedBy(rows(99_000));
    turn();
    await unseal(bytes);
    isRead = true;
    expect(turns).toBeGreaterThan(2);
  });
});
