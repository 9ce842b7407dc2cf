import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { backupMemory } from "./backup.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-backup-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a backup that fails", () => {
  it("removes the folders that it made", async () => {
    await expect(backupMemory(join(folder, "none"), join(folder, "copies", "today"))).rejects.toThrow();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("keeps a folder that was there, with nothing of its own inside", async () => {
    const target = join(folder, "copies");
    mkdirSync(target);
    await expect(backupMemory(join(folder, "none"), target)).rejects.toThrow();
    expect(existsSync(target)).toBe(true);
    expect(readdirSync(target)).toEqual([]);
  });
});
