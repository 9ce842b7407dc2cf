import type { EngineAdapter, EngineName } from "./port.ts";

/** Adapters are imported one by one: a probe of one engine must not pay for the others. */
export async function adapterOf(name: EngineName): Promise<EngineAdapter> {
  switch (name) {
    case "loci":
      return (await import("./engines/loci.ts")).adapter;
    case "sqlite-vec":
      return (await import("./engines/sqlite-vec.ts")).adapter;
    case "lancedb":
      return (await import("./engines/lancedb.ts")).adapter;
    case "duckdb":
      return (await import("./engines/duckdb.ts")).adapter;
    case "pgvector":
      return (await import("./engines/pgvector.ts")).adapter;
    case "pgvector-exact":
      return (await import("./engines/pgvector.ts")).exactAdapter;
    case "c-int8":
      return (await import("./engines/c-int8.ts")).adapter;
    case "loci-postgres":
      return (await import("./engines/loci-postgres.ts")).adapter;
    case "loci-postgres-resident":
      return (await import("./engines/loci-postgres.ts")).residentAdapter;
    case "loci-hnsw":
      return (await import("./engines/loci-hnsw.ts")).adapter;
  }
}
