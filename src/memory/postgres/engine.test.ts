import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { describe, it } from "vitest";
import { engineContract } from "../contract/suite.ts";
import { PostgresEngine } from "./engine.ts";
import { PgliteDatabase } from "./pglite.ts";
import { PostgresServer } from "./server.ts";
import { parsePostgresUrl } from "./url.ts";

/** All scenes of a test run share one database, as they do in life. */
const inProcess = (async () => {
  const db = await PGlite.create({ extensions: { vector } });
  await db.exec("SET search_path TO loci, public");
  return db;
})();
let scenes = 0;

engineContract("postgres on PGlite", async () => {
  const database = new PgliteDatabase(await inProcess);
  const scene = `contract-${++scenes}`;
  const open = () => PostgresEngine.open({ database, scene, partitions: 2 });
  let engine = await open();
  return {
    engine,
    reopen: async () => {
      engine = await open();
      return engine;
    },
    cleanUp: () => engine.close(),
  };
});

const url = process.env["LOCI_TEST_POSTGRES_URL"];
if (url === undefined)
  describe("postgres on a real server", () => {
    it.skip("needs LOCI_TEST_POSTGRES_URL=postgres://…, a server with pgvector", () => undefined);
  });
else
  engineContract("postgres on a real server", async () => {
    const place = parsePostgresUrl(url);
    const scene = `contract-${process.pid}-${++scenes}`;
    const open = async () =>
      PostgresEngine.open({ database: await PostgresServer.open(place), scene, schema: place.schema });
    let engine = await open();
    return {
      engine,
      reopen: async () => {
        engine = await open();
        return engine;
      },
      cleanUp: () => engine.close(),
    };
  });
