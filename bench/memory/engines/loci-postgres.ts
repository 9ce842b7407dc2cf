import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Session } from "../../../src/memory/postgres/database.ts";
import { PostgresEngine } from "../../../src/memory/postgres/engine.ts";
import { PostgresServer } from "../../../src/memory/postgres/server.ts";
import { parsePostgresUrl } from "../../../src/memory/postgres/url.ts";
import type { EngineAdapter } from "../port.ts";
import { LociBench } from "./loci.ts";

const URL_NAME = "LOCI_TEST_POSTGRES_URL";
const SCHEMA = "loci_bench_memory";

/** Loci on PostgreSQL by SQL alone. */
export const adapter = adapterWith(false);
/** The same with the scene's index in this process's memory, built before it is asked. */
export const residentAdapter = adapterWith(true);

function adapterWith(resident: boolean): EngineAdapter {
  return {
    missing: async () => (process.env[URL_NAME] ? null : `${URL_NAME} is not set`),
    open: (context) =>
      LociBench.open(context, {
        openEngine: (folder) => openEngine(folder, resident && context.phase === "query"),
        afterLoad: async () => {
          await onServer((session) => session.exec("VACUUM ANALYZE"));
        },
        diskBytes: () =>
          onServer(async (session) => {
            const [row] = await session.rows(
              "SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r'",
              [SCHEMA],
            );
            return Number(row![0]);
          }),
      }),
    clean: async () => {
      if (process.env[URL_NAME])
        await onServer((session) => session.exec(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE`));
    },
    sharedBetweenProcesses: true,
  };
}

async function openEngine(folder: string, resident: boolean): Promise<PostgresEngine> {
  const scene = createHash("sha256").update(folder).digest("hex").slice(0, 12);
  const database = await server();
  const engine = await PostgresEngine.open({
    database,
    scene,
    schema: SCHEMA,
    resident: resident ? 0 : false,
  });
  const reader = await engine.reader();
  while (resident && !(await reader.search({ limit: 1 })).plan.driver.startsWith("resident"))
    await sleep(200);
  return engine;
}

function server(): Promise<PostgresServer> {
  return PostgresServer.open({ ...parsePostgresUrl(process.env[URL_NAME]!), schema: SCHEMA });
}

async function onServer<T>(work: (session: Session) => Promise<T>): Promise<T> {
  const database = await server();
  try {
    return await database.session(work);
  } finally {
    await database.close();
  }
}
