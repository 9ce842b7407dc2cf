import { LociError } from "../../schema/errors.ts";
import { importOptional } from "../optional-package.ts";
import type { FoundModel } from "./find-model.ts";
import { TRANSFORMERS, TRANSFORMERS_VERSION } from "./protocol.ts";

/** The parts of the package that every use needs. */
export interface Package {
  readonly env: { allowRemoteModels: boolean; cacheDir: string | null };
  readonly AutoConfig: Loader<{ model_type: string }>;
}

export interface LoadOptions {
  readonly dtype: string;
  readonly revision: string;
  readonly local_files_only: boolean;
}

export interface Loader<T> {
  from_pretrained(model: string, options: LoadOptions): Promise<T>;
}

/** Loads a model with the package, from its folder or the hub; failures are reported in one line. */
export async function loadWith<P extends Package, T>(
  { model, packagesFrom, cacheDir }: LoadFrom,
  load: (package_: P, options: LoadOptions) => Promise<T>,
): Promise<T> {
  const package_ = await importOptional<P>(TRANSFORMERS, TRANSFORMERS_VERSION, packagesFrom);
  package_.env.allowRemoteModels = !model.local;
  if (cacheDir !== undefined) package_.env.cacheDir = cacheDir;
  const options = { dtype: model.dtype, revision: model.revision, local_files_only: model.local };
  try {
    return await load(package_, options);
  } catch (error) {
    if (error instanceof LociError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    const where = model.local ? "" : " from the Hugging Face hub (a folder needs no network)";
    throw new LociError("model-unavailable", `${model.source} cannot be loaded${where}: ${why}`);
  }
}

interface LoadFrom {
  readonly model: FoundModel;
  readonly packagesFrom?: string;
  readonly cacheDir?: string;
}
