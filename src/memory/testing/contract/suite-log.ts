import { describe, expect, it } from "vitest";
import { IDENTITY } from "../../../geometry/index.ts";
import { blobRefOf } from "../../../schema/index.ts";
import type { MemoryLog } from "../../log.ts";
import type { KeptEngine } from "../../port.ts";
import {
  at,
  collect,
  type OpenEngine,
  type Rig,
  record,
  rigOf,
  THUMB,
  THUMB_REF,
  vectorOf,
  withRig,
} from "./fixtures.ts";
import { framesAt } from "./generate.ts";

/** A memory's log for other memories, and that a batch of theirs is taken once. Engines without a log skip it. */
export function logSuite(open: OpenEngine): void {
  describe("the log for other memories", () => {
    const withLog =
      (work: (rig: Rig, log: MemoryLog) => Promise<void>) => async (context: { skip(): void }) =>
        withRig(open, async (rig) => {
          const { log: opened } = rig.engine as Partial<KeptEngine>;
          if (opened === undefined) return context.skip();
          const log = await (rig.engine as KeptEngine).log();
          try {
            await work(rig, log);
          } finally {
            await log.close();
          }
        });
    const caption = (id: string, text: string) => record("caption", id, { text: [text] });

    it(
      "gives whole commits back as they were written, with pictures and frames, from any time on",
      withLog(async (rig, log) => {
        await rig.put([record("track", "t1"), record("state", "s1", at(1)), record("observation", "o1")], {
          frames: framesAt(0),
        });
        const secondUs = await rig.put([record("view", "v1")], {
          blobs: [THUMB],
          imageVectors: [{ blob: THUMB_REF, vector: vectorOf("thumb") }],
          sightings: [{ stateId: "s1", timeUs: 5, outcome: "seen" }],
        });
        const thirdUs = await rig.put([record("view", "v1", { room: "hall" })]);
        const all = await collect(log.batches(0));
        expect(all.map(({ records }) => records.map(({ id }) => id))).toEqual([
          ["t1", "s1", "o1"],
          ["v1"],
          ["v1"],
        ]);
        expect(all[0]!.frames).toHaveLength(framesAt(0).length);
        expect(all[1]).toMatchObject({
          from: { memory: log.memory, atUs: secondUs },
          derived: false,
          blobs: [{ ref: THUMB_REF, isFirst: true }],
          sightings: [{ stateId: "s1", timeUs: 5 }],
          imageVectors: [{ blob: THUMB_REF }],
        });
        expect(all[2]!.blobs).toEqual([{ ref: THUMB_REF, isFirst: false }]);
        expect((await collect(log.batches(thirdUs))).map(({ commitUs }) => commitUs)).toEqual([thirdUs]);
        expect(await log.blob(blobRefOf(THUMB))).toEqual(THUMB);
        expect(await log.firstUnheard(new Map([[log.memory, secondUs]]))).toBe(thirdUs);
        expect(await log.firstUnheard(new Map([[log.memory, thirdUs]]))).toBe(null);
      }),
    );

    it(
      "takes a batch of another memory once, in order, and says whose it is",
      withLog(async (rig, log) => {
        const from = { memory: "robot", atUs: 100 };
        const first = await rig.writer.write({ records: [caption("c", "one")], from });
        expect(first.written).toBe(1);
        for (const atUs of [100, 99]) {
          const again = await rig.writer.write({ records: [caption("c", "two")], from: { ...from, atUs } });
          expect(again).toMatchObject({ written: 0 });
        }
        expect((await rig.reader.history("c")).map(({ text }) => text)).toEqual([["one"]]);
        expect((await log.heard()).get("robot")).toBe(100);
        expect(await log.heads(["c", "none"])).toEqual([
          { version: 1, kind: "caption", author: "robot", origin: from, derived: false },
          undefined,
        ]);
        expect((await collect(log.batches(0))).map((batch) => batch.from)).toEqual([from]);
        expect(await log.firstUnheard(new Map([["robot", 99]]))).toBe(first.commitUs);
        expect(await log.firstUnheard(new Map([["robot", 100]]))).toBe(null);
      }),
    );

    it(
      "is never behind what it heard: an own commit after a batch from the future is later than that",
      withLog(async (rig, log) => {
        const aheadUs = Date.now() * 1000 + 600_000_000;
        await rig.writer.write({ records: [caption("c", "one")], from: { memory: "robot", atUs: aheadUs } });
        const { commitUs } = await rig.writer.write({ records: [caption("c", "two")] });
        expect(commitUs).toBeLessThan(aheadUs);
        const [head] = await log.heads(["c"]);
        expect(head!.origin).toEqual({ memory: log.memory, atUs: aheadUs + 1 });
        expect((await log.heard()).get(log.memory)).toBe(aheadUs + 1);
      }),
    );

    it(
      "counts a stamp far ahead as of its arrival, and is not moved by it",
      withLog(async (rig, log) => {
        const aheadUs = Date.now() * 1000 + 30 * 365 * 86_400_000_000;
        const from = { memory: "robot", atUs: aheadUs };
        const { commitUs } = await rig.writer.write({ records: [caption("c", "one")], from });
        expect((await log.heads(["c"]))[0]!.origin).toEqual({ memory: "robot", atUs: commitUs });
        expect((await log.heard()).get("robot")).toBe(aheadUs);
        await rig.writer.write({ records: [caption("c", "two")] });
        const [head] = await log.heads(["c"]);
        expect(head).toMatchObject({ author: "robot", origin: { memory: log.memory } });
        expect(head!.origin.atUs).toBeLessThan(aheadUs);
        expect((await log.heard()).get(log.memory)).toBeLessThan(aheadUs);
      }),
    );

    it(
      "knows which memory first said where a frame is",
      withLog(async (rig, log) => {
        const edge = (child: string) => ({
          parent: "world",
          child,
          transform: IDENTITY,
          kind: "static" as const,
        });
        await rig.writer.write({ frames: [edge("a")], from: { memory: "robot", atUs: 100 } });
        await rig.writer.write({ frames: [{ ...edge("a"), revision: 1 }, edge("b")] });
        expect(await log.frameAuthors(["a", "b", "c"])).toEqual(
          new Map([
            ["a", "robot"],
            ["b", log.memory],
          ]),
        );
      }),
    );

    it(
      "gives to nobody what came in another memory's name and was not its own",
      withLog(async (rig, log) => {
        const robot = (atUs: number) => ({ memory: "robot", atUs });
        await rig.writer.write({ records: [caption("c", "its own")], from: robot(100) });
        const claim = { records: [caption("d", "a lie")], from: robot(900) };
        const { commitUs } = await rig.writer.write(claim);
        expect(await rig.writer.disown("robot", commitUs + 1)).toBe(0);
        expect(await rig.writer.disown("robot", commitUs)).toBe(1);
        expect((await log.heard()).get("robot")).toBe(100);
        const [own, lie] = await log.heads(["c", "d"]);
        expect(own).toMatchObject({ author: "robot" });
        expect(lie).toMatchObject({ author: `disowned-robot-${commitUs}` });
        // Records omitted because of that are taken now.
        const late = { records: [caption("e", "late")], from: robot(500) };
        expect(await rig.writer.write(late)).toMatchObject({ written: 1 });
        expect((await (rig.engine as KeptEngine).verify()).problems).toEqual([]);
        await expect(rig.writer.disown(log.memory)).rejects.toMatchObject({ code: "invalid-input" });
        expect(await rig.writer.disown("robot")).toBe(2);
        expect((await log.heard()).has("robot")).toBe(false);
      }),
    );

    it(
      "looks through what was only derived, at the version that was news",
      withLog(async (rig, log) => {
        const newsUs = await rig.put([record("track", "t1")]);
        await rig.put([record("track", "t1", { name: "Grandma's mug" }), caption("c", "new")], {
          derived: true,
        });
        const [track, note] = await log.heads(["t1", "c"]);
        expect(track).toMatchObject({
          version: 2,
          origin: { memory: log.memory, atUs: newsUs },
          derived: true,
        });
        expect(note).toMatchObject({ version: 1, derived: false });
        expect((await collect(log.batches(0))).map(({ derived }) => derived)).toEqual([false, true]);
      }),
    );

    it(
      "brings the oldest version that is left with whoever names it first",
      withLog(async (rig, log) => {
        await rig.put([record("track", "t1")]);
        await rig.put([record("state", "s1")]);
        await rig.put([record("track", "t1", { name: "later" })]);
        await rig.writer.forget({
          ids: [],
          reason: "retention",
          onlyRecords: true,
          past: [{ id: "t1", version: 1 }],
        });
        const [first] = await collect(log.batches(0));
        expect(first!.records.map(({ id }) => id)).toEqual(["s1", "t1"]);
      }),
    );

    it(
      "notes forgettings of what is not there, and keeps all of it through a copy",
      withLog(async (rig, log) => {
        await rig.put([caption("c", "one")]);
        await rig.writer.write({ records: [caption("d", "two")], from: { memory: "robot", atUs: 7 } });
        await rig.writer.forget({ ids: ["c", "never"], reason: "asked to", ahead: true });
        expect(await log.forgotten()).toEqual([
          { id: "c", reason: "asked to" },
          { id: "never", reason: "asked to" },
        ]);
        const rows = await collect(rig.reader.dump());
        const copy = await open({ dim: 8 });
        try {
          const other = await rigOf(copy);
          await other.writer.restore(
            (async function* () {
              yield* rows;
            })(),
          );
          const copied = await (other.engine as KeptEngine).log();
          expect((await copied.heard()).get("robot")).toBe(7);
          expect(await copied.forgotten()).toEqual(await log.forgotten());
          await copied.close();
        } finally {
          await copy.cleanUp();
        }
      }),
    );
  });
}
