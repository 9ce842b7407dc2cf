/** What users install: plain JavaScript with types in dist/, and beside it the files that code reads at run time. */
import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const out = resolve(process.argv[2] ?? join(root, "dist"));
rmSync(out, { recursive: true, force: true });
execFileSync(
  join(root, "node_modules/.bin/tsc"),
  ["-p", join(root, "tsconfig.build.json"), "--outDir", out],
  { stdio: "inherit" },
);
const beside = [
  "src/**/*.{wasm,bin}",
  "src/ontology/data/*.txt",
  "src/reasoning/read/data/*",
  "src/interfaces/http/docs/*",
];
for (const file of globSync(beside, { cwd: root })) {
  const target = join(out, file.slice("src/".length));
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(root, file), target);
}
execFileSync(
  process.execPath,
  [
    join(root, "node_modules/vite/bin/vite.js"),
    "build",
    join(root, "viewer"),
    "--outDir",
    join(out, "viewer"),
    "--emptyOutDir",
    "--logLevel",
    "warn",
  ],
  { stdio: "inherit" },
);
