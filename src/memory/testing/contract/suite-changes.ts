import { describe, expect, it } from "vitest";
import { blobRefOf } from "../../../schema/index.ts";
import type { Change, MemoryReader } from "../../port.ts";
import type { OpenEngine } from "./fixtures.ts";
import { bytesOf, collect, idsOf, record, refuses, vectorOf, withRig } from "./fixtures.ts";
import { framesAt } from "./generate.ts";

const PHOTO = bytesOf("a photo");

/** Changes as they arrive, until `done` returns true; a commit that arrives twice counts once. */
function follow(reader: MemoryReader, options: { afterUs?: number }, until: (changes: Change[]) => boolean) {
  const abort = new AbortController();
  const seen = new Map<number, Change>();
  const finished = (async () => {
    for await (const change of reader.changes({ ...options, live: true, signal: abort.signal })) {
      seen.set(change.commitUs, change);
      if (until([...seen.values()])) abort.abort();
    }
    return [...seen.values()];
  })();
  return { finished, abort, seen };
}

/** The change tail, and forgetting. */
export function changesSuite(open: OpenEngine): void {
  describe("the change tail", () => {
    it("catches up from any commit, in order", () =>
      withRig(open, async ({ put, writer, reader }) => {
        const t1 = await put([record("track", "t1"), record("state", "s1")]);
        const t2 = await put([record("state", "s1", { name: "cup" })], {
          sightings: [{ stateId: "s1", timeUs: 1, outcome: "seen" }],
        });
        const { commitUs: t3 } = await writer.write({ frames: framesAt(0) });
        const all = await collect(reader.changes({ live: false }));
        expect(
          all.map((c) => [
            c.commitUs,
            c.put.map((r) => `${r.id} v${r.version}`).sort(),
            c.sightings.length,
            c.frames,
          ]),
        ).toEqual([
          [t1, ["s1 v1", "t1 v1"], 0, 0],
          [t2, ["s1 v2"], 1, 0],
          [t3, [], 0, framesAt(0).length],
        ]);
        expect((await collect(reader.changes({ live: false, afterUs: t1 }))).map((c) => c.commitUs)).toEqual([
          t2,
          t3,
        ]);
        expect(await collect(reader.changes({ live: false, afterUs: t3 }))).toEqual([]);
      }));

    it("goes on live, without a gap between catching up and living", () =>
      withRig(open, async ({ put, reader }) => {
        const times = [await put([record("caption", "c0")])];
        const { finished } = follow(reader, {}, (changes) => changes.length === 12);
        for (let i = 1; i < 12; i++) times.push(await put([record("caption", `c${i}`)]));
        const changes = await finished;
        expect(changes.map((change) => change.commitUs)).toEqual(times);
        expect(changes.flatMap((change) => change.put.map((row) => row.id))).toEqual(
          times.map((_, i) => `c${i}`),
        );
      }));

    it("tells live readers of what was forgotten", () =>
      withRig(open, async ({ put, writer, reader }) => {
        const afterUs = await put([record("track", "t1"), record("state", "s1")]);
        const { finished } = follow(reader, { afterUs }, (changes) =>
          changes.some((c) => c.forgotten.length > 0),
        );
        await writer.forget({ ids: ["t1"], reason: "asked to" });
        expect((await finished).at(-1)!.forgotten.sort()).toEqual(["s1", "t1"]);
      }));

    it("ends when aborted, while waiting too", () =>
      withRig(open, async ({ put, reader }) => {
        await put([record("caption", "c")]);
        const { finished, abort, seen } = follow(reader, {}, () => false);
        while (seen.size === 0) await new Promise((resolve) => setTimeout(resolve, 5));
        abort.abort();
        expect((await finished).length).toBe(1);
      }));

    it("shows a principal only what it may see, and no sign of the rest", () =>
      withRig(open, async ({ put, holding }) => {
        const t1 = await put([record("caption", "open"), record("caption", "hidden", { labels: ["x"] })]);
        await put(
          [record("caption", "hidden too", { labels: ["x"] })].map((row) => ({ ...row, id: "hidden-2" })),
        );
        const t3 = await put([record("caption", "last")]);
        const reader = await holding([]);
        const { finished } = follow(reader, {}, (changes) => changes.some((c) => c.commitUs >= t3));
        expect((await finished).map((c) => [c.commitUs, c.put.map((row) => row.id)])).toEqual([
          [t1, ["open"]],
          [t3, ["last"]],
        ]);
      }));
  });

  describe("forgetting", () => {
    it("takes what cannot stand alone along, and rewrites what pointed there", () =>
      withRig(open, async (rig) => {
        const { reader, writer } = rig;
        await rig.put(
          [
            record("relation", "r1", { subject: "s2", object: "s1" }),
            record("track", "t2", {
              maybeSameAs: [
                { id: "t1", p: 0.5 },
                { id: "t3", p: 0.5 },
              ],
            }),
            record("track", "t3"),
            record("track", "t4", { mergedInto: "t1" }),
            record("observation", "o1"),
            record("detection", "d1", { observationId: "o1", stateId: "s1" }),
            record("detection", "d2", { observationId: "o1" }),
            record("state", "s1", { text: ["secret mug", "shared line"] }),
            record("state", "s2", {
              trackId: "t2",
              supportedBy: "s1",
              movedFrom: { stateId: "s1", p: 1 },
              text: ["shared line"],
            }),
            record("event", "e1", { who: ["t1", "t2"] }),
            record("event", "e2", { detail: { by: { was: "s1" } } }),
            record("event", "e3", { who: ["t2"] }),
            record("track", "t1", { text: ["secret mug"] }),
          ],
          {
            sightings: [
              { stateId: "s1", timeUs: 1, outcome: "seen", detectionId: "d2" },
              { stateId: "s2", timeUs: 2, outcome: "seen", detectionId: "d1" },
            ],
          },
        );
        await rig.put([
          record("state", "s2", { trackId: "t2", supportedBy: "s1", text: ["shared line"] }),
          record("state", "s1", { text: ["secret cup"] }),
        ]);
        const history = await reader.history("s2");
        const report = await writer.forget({ ids: ["t1"], reason: "the owner asked" });
        const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
        expect([...report.forgotten].sort(byId)).toEqual([
          { id: "d1", kind: "detection", versions: 1 },
          { id: "d2", kind: "detection", versions: 1 },
          { id: "e1", kind: "event", versions: 1 },
          { id: "e2", kind: "event", versions: 1 },
          { id: "r1", kind: "relation", versions: 1 },
          { id: "s1", kind: "state", versions: 2 },
          { id: "t1", kind: "track", versions: 1 },
          { id: "t4", kind: "track", versions: 1 },
        ]);
        const fields = report.rewritten.map((row) => ({ ...row, fields: [...row.fields].sort() }));
        expect(fields.sort(byId)).toEqual([
          { id: "s2", kind: "state", fields: ["movedFrom", "supportedBy"] },
          { id: "t2", kind: "track", fields: ["maybeSameAs"] },
        ]);
        expect(report).toMatchObject({ sightings: 1, texts: 2, vectors: 2, blobs: 0 });
        expect(await reader.get(["t1", "s1", "r1"])).toEqual([undefined, undefined, undefined]);
        expect(await reader.history("s1")).toEqual([]);
        expect((await reader.get(["t2"]))[0]).toMatchObject({ maybeSameAs: [{ id: "t3", p: 0.5 }] });
        expect((await reader.get(["s2"]))[0]).not.toHaveProperty("movedFrom");
        const rewritten = await reader.history("s2");
        expect(rewritten.map((row) => "supportedBy" in row)).toEqual([false, false]);
        const stamps = (rows: typeof history) =>
          rows.map((r) => [r.version, r.recordedAtUs, r.supersededAtUs]);
        expect(stamps(rewritten)).toEqual(stamps(history));
        expect(await reader.sightings({})).toEqual([
          { stateId: "s2", timeUs: 2, outcome: "seen", agentId: "local", labels: [] },
        ]);
      }));

    it("leaves no trace but the log of having forgotten", () =>
      withRig(open, async (rig) => {
        const image = blobRefOf(PHOTO);
        const t1 = await rig.put(
          [record("caption", "diary", { text: ["dear diary"], image }), record("caption", "c")],
          {
            blobs: [PHOTO],
            imageVectors: [{ blob: image, vector: vectorOf("photo") }],
          },
        );
        const report = await rig.writer.forget({ ids: ["diary"], reason: "asked to" });
        expect(report).toMatchObject({ texts: 1, vectors: 2, blobs: 1 });
        const rows = await collect(rig.reader.dump());
        const log = rows.filter((row) => row.type === "forgotten");
        expect(log).toMatchObject([{ id: "diary", reason: "asked to" }]);
        expect(log[0]!.atUs).toBeGreaterThan(t1);
        expect(JSON.stringify(rows.filter((row) => row.type !== "forgotten"))).not.toContain("diary");
        expect(await rig.reader.blob(image)).toBeUndefined();
        expect(await rig.writer.knownTexts(["dear diary"])).toEqual([false]);
        expect(await (await rig.as({ asOfMemoryUs: t1 })).count({})).toBe(1);
        expect(
          JSON.stringify((await collect(rig.reader.changes({ live: false, afterUs: t1 - 1 })))[0]),
        ).not.toContain("diary");
        expect(await rig.reader.stats()).toMatchObject({ texts: 0, vectors: 0, blobs: 0, versions: 1 });
      }));

    it("keeps lines, vectors and blobs that another record still uses", () =>
      withRig(open, async (rig) => {
        const image = blobRefOf(PHOTO);
        const both = { text: ["shared"], image };
        await rig.put([record("caption", "a", both), record("caption", "b", both)], { blobs: [PHOTO] });
        expect(await rig.writer.forget({ ids: ["a"], reason: "x" })).toMatchObject({
          texts: 0,
          vectors: 0,
          blobs: 0,
        });
        expect(await rig.reader.blob(image)).toEqual(PHOTO);
        expect(idsOf(await rig.reader.search({ meaning: { vector: vectorOf("shared") } }))).toEqual(["b"]);
      }));

    it("gives up past versions alone: the one before reaches up to the next that is left", () =>
      withRig(open, async (rig) => {
        const times: number[] = [];
        for (const line of ["one", "two", "three", "four"])
          times.push(await rig.put([record("caption", "a", { text: [line] })]));
        const report = await rig.writer.forget({
          ids: [],
          reason: "retention",
          past: [
            { id: "a", version: 3 },
            { id: "a", version: 2 },
            { id: "a", version: 4 },
            { id: "nobody", version: 1 },
          ],
        });
        expect(report).toMatchObject({ forgotten: [], texts: 2, vectors: 2 });
        const rows = await rig.reader.history("a");
        expect(rows.map((row) => [row.version, row.text[0], row.recordedAtUs, row.supersededAtUs])).toEqual([
          [1, "one", times[0], times[3]],
          [4, "four", times[3], null],
        ]);
        const then = await rig.as({ asOfMemoryUs: times[2]! });
        expect((await then.get(["a"]))[0]?.text).toEqual(["one"]);
        expect((await rig.writer.write({ records: [record("caption", "a")] })).versions).toEqual([5]);
        expect(idsOf(await rig.reader.search({}))).toEqual(["a"]);
      }));

    it("gives up single looks, and the log of earlier acts for the same reason", () =>
      withRig(open, async (rig) => {
        const looks = [1, 2, 3].map((timeUs) => ({ stateId: "s1", timeUs, outcome: "seen" as const }));
        const records = [record("track", "t1"), record("state", "s1"), record("caption", "a")];
        await rig.put([...records, record("caption", "b")], { sightings: looks });
        await rig.writer.forget({ ids: ["b"], reason: "asked to" });
        await rig.writer.forget({ ids: ["a"], reason: "retention" });
        const sightings = [
          { stateId: "s1", timeUs: 2 },
          { stateId: "nobody", timeUs: 2 },
        ];
        const report = await rig.writer.forget({ ids: [], reason: "retention", sightings, strikeLog: true });
        expect(report).toMatchObject({ sightings: 1 });
        expect((await rig.reader.sightings({})).map(({ timeUs }) => timeUs)).toEqual([1, 3]);
        const log = (await collect(rig.reader.dump())).filter((row) => row.type === "forgotten");
        expect(log).toMatchObject([{ id: "b" }]);
        expect(idsOf(await rig.reader.search({ kinds: ["caption"] }))).toEqual([]);
      }));

    it("refuses unknown ids and forgets nothing then; a forgotten id may be used anew", () =>
      withRig(open, async (rig) => {
        await rig.put([record("caption", "a"), record("caption", "b")]);
        await refuses("unknown-id", () => rig.writer.forget({ ids: ["a", "nobody"], reason: "x" }));
        expect(await rig.reader.count({})).toBe(2);
        await rig.writer.forget({ ids: ["a"], reason: "x" });
        const commit = await rig.writer.write({ records: [record("event", "a")] });
        expect(commit.versions).toEqual([1]);
      }));
  });
}
