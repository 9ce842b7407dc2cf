import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "..");
const RESIDENT = "src/memory/resident/kernels";
const OPTIONS = [
  ...["--runtime", "stub", "-O3", "--noAssert"],
  ...["--importMemory", "--noExportMemory", "--initialMemory", "16", "--enable", "simd"],
];
const SHARED = ["--sharedMemory", "--maximumMemory", "65536", "--enable", "threads"];

/**
 * Every file, where its source lies and what it is built with. Of the index's two builds the second is used only where
 * the start-up test proves it exact.
 */
const KERNELS = {
  "kernels.wasm": { folder: RESIDENT, options: SHARED },
  "kernels-relaxed.wasm": { folder: RESIDENT, options: [...SHARED, "--enable", "relaxed-simd"] },
  "network.wasm": { folder: "src/reasoning/read/trained/kernels", options: [] },
  "eyes.wasm": { folder: "src/models/eyes/kernels", options: [] },
} as const;
export type KernelFile = keyof typeof KERNELS;
export const KERNEL_FILES = Object.keys(KERNELS) as KernelFile[];

/** Where a built kernel lies. */
export function kernelPath(file: KernelFile): string {
  return join(root, KERNELS[file].folder, file);
}

/** What each file was built from and what came out, as hashes: checked in, since comparing takes no compiler. */
export const BUILT_FILE = join(here, "kernels.json");
export type Built = Readonly<Record<KernelFile, { readonly from: string; readonly bytes: string }>>;

/** Of the sources, the options and the version of the compiler. */
export function sourceHash(file: KernelFile): string {
  const { folder, options } = KERNELS[file];
  const { version } = createRequire(import.meta.url)("assemblyscript/package.json") as { version: string };
  const names = readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".ts"))
    .sort();
  const sources = names.map((name) => [name, readFileSync(join(root, folder, name), "utf8")]);
  return hashOf(JSON.stringify([version, OPTIONS, options, sources]));
}

export const hashOf = (content: string | Uint8Array): string =>
  createHash("sha256").update(content).digest("hex");

/** Compiles one of them. The result depends on the sources and the pinned compiler only. */
export async function buildKernel(file: KernelFile): Promise<Uint8Array> {
  const { default: asc } = await import("assemblyscript/asc");
  let binary: Uint8Array | undefined;
  const { folder, options } = KERNELS[file];
  const { error, stderr } = await asc.main(
    [`${folder}/index.ts`, "--outFile", "out.wasm", ...OPTIONS, ...options],
    {
      readFile: (name, base) => {
        try {
          return readFileSync(resolve(root, base, name), "utf8");
        } catch {
          return null;
        }
      },
      writeFile: (_name, contents) => {
        if (typeof contents !== "string") binary = contents;
      },
      listFiles: () => [],
    },
  );
  if (error !== null || binary === undefined)
    throw new Error(`${file}: ${error?.message}\n${stderr.toString()}`);
  return binary;
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const built: Partial<Record<KernelFile, Built[KernelFile]>> = {};
  for (const file of KERNEL_FILES) {
    const bytes = await buildKernel(file);
    writeFileSync(kernelPath(file), bytes);
    built[file] = { from: sourceHash(file), bytes: hashOf(bytes) };
    process.stdout.write(`${kernelPath(file)}: ${bytes.length} bytes\n`);
  }
  writeFileSync(BUILT_FILE, `${JSON.stringify(built, null, 2)}\n`);
}
