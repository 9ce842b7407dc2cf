import { resolve } from "node:path";
import { LociError } from "../schema/index.ts";
import type { TextReader } from "./text-reader.ts";

/** How a reader of writing is named on the command line. */
export const TEXT_READER_CHOICES = ["auto", "none", "paddle", "tesseract"] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Opens the chosen reader: "auto" is PP-OCR where its packages are installed, else none. A reader that cannot be
 * opened is reported.
 */
export async function textReaderFor(choice: string, environment: Environment = {}): Promise<string> {
  const packagesFrom = packagesOf(environment);
  switch (choice) {
    case "auto": {
      const { hasPaddle } = await import("./ocr-paddle/ocr-paddle.ts");
      return hasPaddle(packagesFrom) ? "paddle" : "none";
    }
    case "none":
      break;
    case "paddle":
      (await import("./ocr-paddle/ocr-paddle.ts")).findPaddle(packagesFrom);
      break;
    case "tesseract":
      (await import("./ocr-tesseract/ocr-tesseract.ts")).findTesseract(packagesFrom);
      break;
    default:
      throw new LociError(
        "invalid-input",
        `expected a reader of writing such as ${TEXT_READER_CHOICES.join(" or ")}, got "${choice.slice(0, 64)}"`,
      );
  }
  return choice;
}

/** Opens a reader of writing by its choice, null for none; `LOCI_PACKAGES` names a folder with the packages. */
export async function openTextReader(
  choice: string,
  environment: Environment = {},
): Promise<TextReader | null> {
  const [reader, packagesFrom] = [await textReaderFor(choice, environment), packagesOf(environment)];
  if (reader === "paddle") return (await import("./ocr-paddle/ocr-paddle.ts")).openPaddle({ packagesFrom });
  if (reader === "tesseract")
    return (await import("./ocr-tesseract/ocr-tesseract.ts")).openTesseract(packagesFrom);
  return null;
}

function packagesOf(environment: Environment): string | undefined {
  const packages = environment["LOCI_PACKAGES"];
  return packages ? resolve(packages) : undefined;
}
