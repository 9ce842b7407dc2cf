import { resolve } from "node:path";
import { LociError } from "../schema/index.ts";
import type { Detector } from "./detector.ts";

/** How a detector is named on the command line. */
export const DETECTOR_CHOICES = ["none", "coco[:LEAST_SCORE]"] as const;

/** Opens a detector by its choice, null for none; `LOCI_PACKAGES` names a folder with the optional packages. */
export async function openDetector(
  choice: string,
  environment: Readonly<Record<string, string | undefined>> = {},
): Promise<Detector | null> {
  const [name, score, ...rest] = choice.split(":");
  if (name === "none" && score === undefined) return null;
  if (name === "coco" && rest.length === 0 && score !== "") {
    const { openCocoNanodet } = await import("./coco-nanodet/coco-nanodet.ts");
    const packages = environment["LOCI_PACKAGES"];
    return openCocoNanodet({
      ...(packages && { packagesFrom: resolve(packages) }),
      ...(score !== undefined && { minScore: Number(score) }),
    });
  }
  throw new LociError(
    "invalid-input",
    `expected a detector such as ${DETECTOR_CHOICES.join(" or ")}, got "${choice.slice(0, 64)}"`,
  );
}
