import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const home = mkdtempSync(join(tmpdir(), "loci-package-"));
const installed = join(home, "node_modules", "loci");
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The package as a user would have it: what `files` lists, built, with its dependencies, and no sources. */
beforeAll(() => {
  execFileSync(process.execPath, [join(ROOT, "scripts/build.ts"), join(installed, "dist")], {
    stdio: "pipe",
  });
  for (const file of ["bin", "package.json"])
    cpSync(join(ROOT, file), join(installed, file), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(installed, "node_modules"));
  writeFileSync(join(home, "package.json"), JSON.stringify({ type: "module" }));
});

const run = (...args: string[]) => execFileSync(process.execPath, args, { cwd: home, encoding: "utf8" });

describe("the built package", () => {
  it("runs the demo from its command", () => {
    expect(run(join(installed, "bin/loci.mjs"), "demo", "--once")).toContain("? Where is the sofa?");
  }, 240_000);

  it("is a library: it remembers with its own encoder on its own thread, and finds", () => {
    writeFileSync(
      join(home, "use.js"),
      `import { openMemory } from "loci";
       const memory = await openMemory("./memory");
       await memory.remember("the ladder is in the garage", { at: { x: 1, y: 2, z: 0 } });
       const [hit] = await memory.captions().like("a ladder").near({ x: 1, y: 2, z: 0 }, 1).find();
       console.log(hit.record.text[0], hit.scores.meaning > 0.3);
       await memory.close();`,
    );
    expect(run("use.js")).toBe("the ladder is in the garage true\n");
  });
});
