import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { describe, it } from "vitest";
import type { OpenEngine } from "../testing/contract/fixtures.ts";
import { engineContract } from "../testing/contract/suite.ts";
import { PgliteDatabase } from "../testing/pglite.ts";
import type { Database } from "./database.ts";
import { PostgresEngine } from "./engine.ts";
import { PostgresServer } from "./server.ts";
import { parsePostgresUrl } from "./url.ts";

let scenes = 0;

/** Each memory is a scene of its own; all of a run share one database, as they do in life. */
function scenesOf(database: () => Promise<Database>, resident: () => number | false): OpenEngine {
  return async () => {
    const scene = `contract-${process.pid}-${++scenes}`;
    const from = resident();
    const open = async () =>
      PostgresEngine.open({ database: await database(), scene, partitions: 2, resident: from });
    let engine = await open();
    return {
      engine,
      reopen: async () => {
        engine = await open();
        return engine;
      },
      cleanUp: () => engine.close(),
    };
  };
}

const inProcess = (async () => {
  const db = await PGlite.create({ extensions: { vector } });
  await db.exec("SET search_path TO loci, public");
  return db;
})();

// Every second memory is answered from the index in memory, the others by SQL alone.
engineContract(
  "postgres on PGlite",
  scenesOf(
    async () => new PgliteDatabase(await inProcess),
    () => (scenes % 2 === 0 ? 0 : false),
  ),
);

const url = process.env["LOCI_TEST_POSTGRES_URL"];
if (url === undefined) {
  describe("postgres on a real server", () => {
    it.skip("needs LOCI_TEST_POSTGRES_URL=postgres://…, a server with pgvector", () => undefined);
  });
} else {
  const server = () => PostgresServer.open(parsePostgresUrl(url));
  engineContract(
    "postgres on a real server, by SQL",
    scenesOf(server, () => false),
  );
  engineContract(
    "postgres on a real server, resident",
    scenesOf(server, () => 0),
  );
}
