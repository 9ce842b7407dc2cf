import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiReports } from "../scripts/api-report.ts";

const ROOT = join(import.meta.dirname, "..");
const home = mkdtempSync(join(tmpdir(), "loci-package-"));
const installed = join(home, "node_modules", "loci");
afterAll(() => rmSync(home, { recursive: true, force: true }));

/**
 * The package as a user has it: packed by npm, unpacked into an empty project, and beside it the packages that the lock
 * says a user gets, copied, since a registry need not be there. Nothing of the checkout can be reached from it.
 */
beforeAll(() => {
  const packing = join(home, "packing");
  for (const file of ["bin", "package.json", "README.md", "LICENSE"])
    cpSync(join(ROOT, file), join(packing, file), { recursive: true });
  execFileSync(process.execPath, [join(ROOT, "scripts/build.ts"), join(packing, "dist")], { stdio: "pipe" });
  execFileSync("npm", ["pack", "--ignore-scripts", "--pack-destination", home], {
    cwd: packing,
    stdio: "pipe",
  });
  rmSync(packing, { recursive: true });
  mkdirSync(installed, { recursive: true });
  const [packed] = globSync("loci-*.tgz", { cwd: home });
  execFileSync("tar", ["-xzf", join(home, packed!), "--strip-components=1", "-C", installed]);
  for (const path of locked())
    cpSync(join(ROOT, path), join(home, path), { recursive: true, dereference: true });
  writeFileSync(join(home, "package.json"), JSON.stringify({ type: "module" }));
}, 300_000);

/** Folders of the packages that come with ours; those for other platforms are not there. */
function locked(): string[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
    packages: Readonly<Record<string, { readonly dev?: boolean; readonly optional?: boolean }>>;
  };
  return Object.entries(packages)
    .filter(
      ([path, { dev, optional }]) => path !== "" && !dev && !(optional && !existsSync(join(ROOT, path))),
    )
    .map(([path]) => path)
    .filter((path, _, all) => !all.some((other) => path.startsWith(`${other}/node_modules/`)));
}

const run = (...args: string[]) => execFileSync(process.execPath, args, { cwd: home, encoding: "utf8" });

function runScript(name: string, lines: readonly string[]): string {
  writeFileSync(join(home, name), lines.join("\n"));
  return run(name);
}

describe("the package", () => {
  it("holds what it needs and nothing of tests", () => {
    const files = globSync("**/*", { cwd: installed, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = files.map((entry) => relative(installed, join(entry.parentPath, entry.name)));
    expect(paths.filter((path) => /testing\/|\.test\.|^src\/|fixtures?\//.test(path))).toEqual([]);
    const ours = paths.filter((path) => path.endsWith(".js") && !path.startsWith("dist/viewer/"));
    const suspects = ours.filter((path) =>
      /from "(vitest|fast-check)"/.test(readFileSync(join(installed, path), "utf8")),
    );
    expect(suspects).toEqual([]);
    expect(ours.length).toBeGreaterThan(500);
  });

  it("runs the demo from its command", () => {
    expect(run(join(installed, "bin/loci.mjs"), "demo", "--once")).toContain("? Where is the sofa?");
  }, 240_000);

  it("is a library: it remembers with its own encoder on its own thread, and finds", () => {
    const said = runScript("use.js", [
      'import { openMemory } from "loci";',
      'const memory = await openMemory("./memory");',
      'await memory.remember("the ladder is in the garage", { at: { x: 1, y: 2, z: 0 } });',
      'const [hit] = await memory.captions().like("a ladder").near({ x: 1, y: 2, z: 0 }, 1).find();',
      "console.log(hit.record.text[0], hit.scores.meaning > 0.3);",
      "await memory.close();",
    ]);
    expect(said).toBe("the ladder is in the garage true\n");
  });

  it("has its laboratory and its decoder under names of their own", () => {
    const said = runScript("lab.js", [
      'import { RULE_JUDGE } from "loci/evaluation";',
      'import { FEED_FORMAT } from "loci/feed";',
      'import { generateHouse } from "loci/world";',
      "const { rooms } = generateHouse(1, { rooms: 4, objects: 60 });",
      "console.log(rooms.length, typeof RULE_JUDGE.judge, FEED_FORMAT);",
    ]);
    expect(said).toBe("4 function 1\n");
  });

  it("has types that a strict project understands", () => {
    writeFileSync(
      join(home, "use.ts"),
      `import { type AnswerRecord, askMemory, LociError, openMemory } from "loci";
       import type { House } from "loci/world";
       const memory = await openMemory("./memory");
       const answer: AnswerRecord = await askMemory(memory, "Where is the ladder?");
       export const where: { x: number } | undefined = answer.navGoal?.position;
       export const rooms = (house: House): number => house.rooms.length;
       // @ts-expect-error It is a string, so the types are not any.
       export const wrong: number = answer.text;
       export const known = new LociError("invalid-input", "no").code === "invalid-input";`,
    );
    const flags = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024", "--skipLibCheck"];
    execFileSync(join(ROOT, "node_modules/.bin/tsc"), [...flags, "use.ts"], { cwd: home, encoding: "utf8" });
  });

  it("promises what etc/*.api.txt says; after a deliberate change: npx node scripts/api-report.ts", () => {
    for (const [path, text] of apiReports(join(installed, "dist")))
      expect(text, path).toBe(readFileSync(join(ROOT, path), "utf8"));
  });
});
