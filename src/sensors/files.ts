import type { Stats } from "node:fs";
import { open, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { LIMITS, LociError } from "../schema/core.ts";
import { decodeGrey16 } from "./images.ts";

const TEXT_BYTES = 65_536;
const NUMBERED = /^(\d{1,9})\.(jpg|jpeg|png|exr)$/;

/** A grey PNG, or undefined if the file does not exist. */
export async function optionalGrey(path: string) {
  const bytes = await optionalBytes(path);
  return bytes && decodeGrey16(bytes);
}

/** The bytes of a file, or undefined if it does not exist. */
export async function optionalBytes(path: string): Promise<Uint8Array | undefined> {
  return readBytes(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  });
}

/** The bytes of a file of bounded size. */
export async function readBytes(path: string): Promise<Uint8Array> {
  const found = await stat(path);
  checkIsFile(found, path);
  if (found.size > LIMITS.blobBytes) {
    throw new LociError("limit-exceeded", `expected at most ${LIMITS.blobBytes} bytes in ${path}`);
  }
  return readFile(path);
}

/** A pipe without a writer would block forever, and a folder cannot be read. */
export function checkIsFile(found: Stats, path: string): void {
  if (!found.isFile())
    throw new LociError("invalid-input", `expected a file at ${path}, not a pipe or a folder`);
}

/** A text of at most `limit` bytes (short by default), or undefined if the file does not exist. */
export async function readText(path: string, limit = TEXT_BYTES): Promise<string | undefined> {
  const bytes = await optionalBytes(path);
  if (bytes && bytes.length > limit)
    throw new LociError("limit-exceeded", `expected a short text in ${path}`);
  return bytes && new TextDecoder().decode(bytes);
}

/** The pictures of a folder whose names are plain numbers; none if the folder does not exist. */
export async function numberedFiles(folder: string): Promise<Map<number, string>> {
  const names = await readdir(folder).catch(() => []);
  return new Map(
    names.flatMap((name) => {
      const match = NUMBERED.exec(name);
      return match ? [[Number(match[1]), join(folder, name)] as const] : [];
    }),
  );
}

/** The non-empty lines of a text file of any length; none if the file does not exist. */
export async function* lines(path: string): AsyncGenerator<string> {
  const found = await stat(path).catch(() => undefined);
  if (found) checkIsFile(found, path);
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (!file) return;
  let rest = "";
  const decoder = new TextDecoder();
  try {
    for await (const part of file.createReadStream({ autoClose: false })) {
      const pieces = (rest + decoder.decode(part as Uint8Array, { stream: true })).split("\n");
      rest = pieces.pop()!;
      if (rest.length > LIMITS.bodyBytes)
        throw new LociError("limit-exceeded", `a line of ${path} is too long`);
      yield* pieces.filter(Boolean);
    }
    if (rest) yield rest;
  } finally {
    await file.close();
  }
}

/** Parses JSON, or throws invalid-input with the name of what it should have been. */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new LociError("invalid-input", `expected JSON in ${what}`, { cause });
  }
}
