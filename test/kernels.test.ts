import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { buildKernel, KERNEL_FILES, kernelPath } from "../scripts/build-kernels.ts";

it.each(KERNEL_FILES)(
  "%s is what its sources compile to",
  async (file) => {
    const built = await buildKernel(file);
    const committed = readFileSync(kernelPath(file));
    expect(Buffer.compare(built, committed), "run node scripts/build-kernels.ts").toBe(0);
  },
  120_000,
);
