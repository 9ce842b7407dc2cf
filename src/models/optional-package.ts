import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { LociError } from "../schema/errors.ts";

/** The path of an optional package, or null. `from` is a folder with a node_modules of its own. */
export function findPackage(name: string, from?: string): string | null {
  try {
    return createRequire(from === undefined ? import.meta.url : join(from, "here.js")).resolve(name);
  } catch {
    return null;
  }
}

/**
 * Imports a package that Loci does not install by itself. The caller's T describes the parts it uses, so that the
 * sources compile without the package.
 */
export async function importOptional<T>(name: string, version: string, from?: string): Promise<T> {
  const path = findPackage(name, from);
  if (path === null) {
    throw new LociError("model-unavailable", `${name} is not installed; run: npm install ${name}@${version}`);
  }
  const module = (await import(pathToFileURL(path).href)) as { default?: object };
  // A CommonJS package has its exports under `default` if Node cannot name them all.
  return { ...module.default, ...module } as T;
}
