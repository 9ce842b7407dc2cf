import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "..");
const folder = "src/memory/resident/kernels";

/** The two builds of the same source; the second is used only where the start-up test proves it exact. */
export const KERNEL_FILES = ["kernels.wasm", "kernels-relaxed.wasm"] as const;

/** Compiles one of them. The result depends on the sources and the pinned compiler only. */
export async function buildKernel(file: (typeof KERNEL_FILES)[number]): Promise<Uint8Array> {
  let binary: Uint8Array | undefined;
  const relaxed = file === "kernels-relaxed.wasm" ? ["--enable", "relaxed-simd"] : [];
  const { error, stderr } = await asc.main(
    [
      `${folder}/index.ts`,
      ...["--outFile", "out.wasm", "--runtime", "stub", "-O3", "--noAssert"],
      ...["--importMemory", "--sharedMemory", "--noExportMemory"],
      ...["--initialMemory", "16", "--maximumMemory", "65536"],
      ...["--enable", "simd", "--enable", "threads", ...relaxed],
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
    writeFileSync(join(root, folder, file), bytes);
    process.stdout.write(`${folder}/${file}: ${bytes.length} bytes\n`);
  }
}
