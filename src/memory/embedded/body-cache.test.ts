import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { EmbeddedEngine } from "./engine.ts";

it("conditions on bodies follow what is written anew and what is forgotten", async () => {
  const folder = mkdtempSync(join(tmpdir(), "loci-bodies-"));
  const engine = await EmbeddedEngine.open({ folder });
  const writer = await engine.writer();
  const mug = (id: string, regionId: string) => ({
    kind: "state" as const,
    id,
    trackId: `t-${id}`,
    name: "mug",
    category: "mug",
    text: ["a mug"],
    regionId,
    validFromUs: 0,
    validToUs: null,
  });
  const span = { validFromUs: 0, validToUs: null };
  const ids = ["a", "b", "c"];
  await writer.write({
    records: [
      ...["kitchen", "hall"].map((id) => ({
        kind: "region" as const,
        id,
        type: "room" as const,
        level: 2,
        name: id,
        ...span,
      })),
      ...ids.map((id) => ({ kind: "track" as const, id: `t-${id}`, name: "mug", category: "mug", ...span })),
      ...ids.map((id) => mug(id, "kitchen")),
    ],
  });
  const reader = await engine.reader();
  const inRoom = async (room: string) => {
    const request = { where: { regionId: [room] }, limit: 10, rank: "id" as const };
    const { hits } = await reader.search(request);
    expect(await reader.count(request)).toBe(hits.length);
    return hits.map(({ record }) => record.id).join(" ");
  };
  expect(await inRoom("kitchen")).toBe("a b c");
  await writer.write({ records: [mug("b", "hall")] });
  expect([await inRoom("kitchen"), await inRoom("hall")]).toEqual(["a c", "b"]);
  await writer.forget({ ids: ["c"], reason: "asked to" });
  expect([await inRoom("kitchen"), await inRoom("hall")]).toEqual(["a", "b"]);
  await writer.close();
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});
