import { spawn } from "node:child_process";
import { existsSync, globSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * The folder of the viewer's files. An installed package contains them; in a checkout they are built when they are
 * missing or older than their sources, which takes seconds. Undefined if there are none and none can be built.
 */
export async function viewerFolder(onBuild: () => void = () => {}): Promise<string | undefined> {
  const packed = join(ROOT, "dist", "viewer");
  const source = join(ROOT, "viewer");
  const built = join(source, "dist");
  if (!existsSync(join(source, "index.html"))) return existsSync(packed) ? packed : undefined;
  if (isFresh(source, built)) return built;
  onBuild();
  await build(source, built);
  return existsSync(join(built, "index.html")) ? built : undefined;
}

function isFresh(source: string, built: string): boolean {
  const made = statSync(join(built, "index.html"), { throwIfNoEntry: false });
  if (made === undefined) return false;
  const files = globSync(["index.html", "vite.config.ts", "src/**/*", "app/*", "public/*"], { cwd: source });
  return files.every((file) => statSync(join(source, file)).mtimeMs <= made.mtimeMs);
}

/**
 * Runs vite in a process of its own, since its threads would keep this one from ending. It builds into a folder of its
 * own, which is renamed into place when complete: of several servers that start at once the first to finish gives all
 * of them the page, and no client reads half of one.
 */
async function build(source: string, built: string): Promise<void> {
  const vite = join(ROOT, "node_modules", "vite", "bin", "vite.js");
  if (!existsSync(vite)) return;
  const own = join(ROOT, ".cache", `viewer-build-${process.pid}`);
  const args = [vite, "build", source, "--outDir", own, "--emptyOutDir", "--logLevel", "error"];
  await new Promise<void>((resolve) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
    child.once("error", () => resolve());
    child.once("exit", () => resolve());
  });
  if (existsSync(join(own, "index.html")) && !isFresh(source, built)) {
    rmSync(built, { recursive: true, force: true });
    renameSync(own, built);
  }
  rmSync(own, { recursive: true, force: true });
}
