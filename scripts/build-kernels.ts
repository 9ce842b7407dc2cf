import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "..");
const RESIDENT = "src/memory/resident/kernels";
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

/** Compiles one of them. The result depends on the sources and the pinned compiler only. */
export async function buildKernel(file: KernelFile): Promise<Uint8Array> {
  let binary: Uint8Array | undefined;
  const { folder, options } = KERNELS[file];
  const { error, stderr } = await asc.main(
    [
      `${folder}/index.ts`,
      ...["--outFile", "out.wasm", "--runtime", "stub", "-O3", "--noAssert"],
      ...["--importMemory", "--noExportMemory", "--initialMemory", "16", "--enable", "simd"],
      ...options,
    ],
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
  for (const file of KERNEL_FILES) {
    const bytes = await buildKernel(file);
    writeFileSync(kernelPath(file), bytes);
    process.stdout.write(`${kernelPath(file)}: ${bytes.length} bytes\n`);
  }
}
