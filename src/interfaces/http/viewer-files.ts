import { spawn } from "node:child_process";
import { existsSync, globSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * Where the viewer's files lie. An installed package brings them; in a checkout they are built when they are missing or
 * older than their sources, which takes seconds. Undefined where there are none and none can be made.
 */
export async function viewerFolder(onBuild: () => void = () => {}): Promise<string | undefined> {
  const packed = join(ROOT, "dist", "viewer");
  const source = join(ROOT, "viewer");
  const built = join(source, "dist");
  if (!existsSync(join(source, "index.html"))) return existsSync(packed) ? packed : undefined;
  if (isFresh(source, built)) return built;
  onBuild();
  await build(source);
  return existsSync(join(built, "index.html")) ? built : undefined;
}

function isFresh(source: string, built: string): boolean {
  const made = statSync(join(built, "index.html"), { throwIfNoEntry: false });
  if (made === undefined) return false;
  const files = globSync(["index.html", "vite.config.ts", "src/**/*", "app/*", "public/*"], { cwd: source });
  return files.every((file) => statSync(join(source, file)).mtimeMs <= made.mtimeMs);
}

/** By vite in a process of its own: its threads would keep this one from ending. */
function build(source: string): Promise<void> {
  const vite = join(ROOT, "node_modules", "vite", "bin", "vite.js");
  if (!existsSync(vite)) return Promise.resolve();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [vite, "build", source, "--logLevel", "error"], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    child.once("error", () => resolve());
    child.once("exit", () => resolve());
  });
}
