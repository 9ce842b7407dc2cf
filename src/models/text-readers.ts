import { resolve } from "node:path";
import { LociError } from "../schema/index.ts";
import type { TextReader } from "./text-reader.ts";

/** How a reader of writing is named on the command line. */
export const TEXT_READER_CHOICES = ["auto", "none", "paddle", "tesseract"] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** What reads where nobody said: PP-OCR where its packages are installed, else nobody. */
export async function textReaderFor(choice: string, environment: Environment = {}): Promise<string> {
  if (choice !== "auto") return choice;
  const { hasPaddle } = await import("./ocr-paddle/ocr-paddle.ts");
  return hasPaddle(packagesOf(environment)) ? "paddle" : "none";
}

/** Opens a reader of writing by its choice, null for none; `LOCI_PACKAGES` names a folder with the packages. */
export async function openTextReader(
  choice: string,
  environment: Environment = {},
): Promise<TextReader | null> {
  const packagesFrom = packagesOf(environment);
  switch (await textReaderFor(choice, environment)) {
    case "none":
      return null;
    case "paddle":
      return (await import("./ocr-paddle/ocr-paddle.ts")).openPaddle({ packagesFrom });
    case "tesseract":
      return (await import("./ocr-tesseract/ocr-tesseract.ts")).openTesseract(packagesFrom);
    default:
      throw new LociError(
        "invalid-input",
        `expected a reader of writing such as ${TEXT_READER_CHOICES.join(" or ")}, got "${choice.slice(0, 64)}"`,
      );
  }
}

function packagesOf(environment: Environment): string | undefined {
  const packages = environment["LOCI_PACKAGES"];
  return packages ? resolve(packages) : undefined;
}
