import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { appendAudit, readAudit } from "./audit.ts";

const ENTRY = { atUs: 1, who: "owner", act: "forget", ids: ["a"], reason: "asked" } as const;
/** No user may make a file here, whatever rights he has. */
const CLOSED = "/sys/kernel";

it("keeps its lines in order and tells the latest first", () => {
  const folder = mkdtempSync(join(tmpdir(), "loci-audit-"));
  expect(readAudit(folder, 10)).toEqual([]);
  for (const atUs of [1, 2, 3]) appendAudit(folder, { ...ENTRY, ids: ["a"], atUs });
  expect(readAudit(folder, 2).map(({ atUs }) => atUs)).toEqual([3, 2]);
  rmSync(folder, { recursive: true });
});

it.skipIf(!existsSync(CLOSED))("says of a folder that cannot be written that it is so", () => {
  expect(() => appendAudit(CLOSED, { ...ENTRY, ids: ["a"] })).toThrow(
    expect.objectContaining({ code: "memory-read-only" }),
  );
});
