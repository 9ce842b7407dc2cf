import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { record } from "../testing/contract/fixtures.ts";
import { PostgresEngine } from "./engine.ts";
import { logPosition, Replicas } from "./replicas.ts";
import { PostgresServer } from "./server.ts";
import { parsePostgresUrl } from "./url.ts";

describe("which replica may be read", () => {
  const positions = { primary: 0n as bigint | undefined, replica: 0n };
  const asked: string[] = [];
  const replicas = (boundMs: number) =>
    new Replicas(boundMs, 2, async (_, as) => {
      asked.push(as);
      return positions[as];
    });

  it("is one that has replayed what the primary had when it was asked within the bound", async () => {
    Object.assign(positions, { primary: 100n, replica: 99n });
    const now = replicas(0);
    expect(await now.fresh(0)).toBeUndefined();
    positions.replica = 100n;
    expect(await now.fresh(0)).toBe(1);
    positions.primary = 101n;
    expect(await now.fresh(0)).toBeUndefined();
    const lax = replicas(3_600_000);
    positions.replica = 101n;
    expect(await lax.fresh(0)).toBe(1);
    lax.forget();
    // Behind, and within the hour: it had replayed a place that was the primary's a moment ago.
    positions.primary = 200n;
    expect(await lax.fresh(0)).toBe(1);
  });

  it("is none once the primary has not answered for as long as the bound", async () => {
    Object.assign(positions, { primary: 100n, replica: 100n });
    const bound = replicas(0);
    expect(await bound.fresh(0)).toBe(1);
    positions.primary = undefined;
    expect(await bound.fresh(0)).toBeUndefined();
  });

  it("is not looked for at every reading where the bound leaves time", async () => {
    Object.assign(positions, { primary: 1n, replica: 1n });
    const lax = replicas(3_600_000);
    asked.length = 0;
    for (let n = 0; n < 5; n++) await lax.fresh(0);
    expect(asked).toEqual(["primary", "replica"]);
  });

  it("compares places in the log as numbers", () => {
    expect(logPosition("0/FFFFFFFF") < logPosition("1/0")).toBe(true);
    expect(logPosition("16/B374D848")).toBe(0x16_b374_d848n);
  });
});

const [primary, replica] = [
  process.env["LOCI_TEST_POSTGRES_URL"],
  process.env["LOCI_TEST_POSTGRES_REPLICA_URL"],
];
if (primary === undefined || replica === undefined) {
  describe("a streaming replica", () => {
    it.skip("needs LOCI_TEST_POSTGRES_URL and LOCI_TEST_POSTGRES_REPLICA_URL", () => undefined);
  });
} else
  describe("a streaming replica", () => {
    const [one, two] = [parsePostgresUrl(primary), parsePostgresUrl(replica)];
    const scene = `replica-${process.pid}`;
    const open = async (hosts: typeof one.hosts, staleS: number) =>
      PostgresEngine.open({
        database: await PostgresServer.open({ ...one, hosts, staleS }),
        scene,
        resident: false,
      });
    const onReplica = async (sql: string) => {
      const server = await PostgresServer.open({ ...two, database: one.database });
      await server.session((session) => session.exec(sql)).finally(() => server.close());
    };
    afterEach(() => onReplica("SELECT pg_wal_replay_resume()"));

    it("answers as long as it keeps up, and leaves it to the primary where it does not", async () => {
      const engine = await open([...one.hosts, ...two.hosts], 0);
      const [writer, reader] = [await engine.writer(), await engine.reader()];
      await writer.write({ records: [record("caption", "before")] });
      expect((await reader.get(["before"]))[0]?.id).toBe("before");
      await onReplica("SELECT pg_wal_replay_pause()");
      await writer.write({ records: [record("caption", "after")] });
      expect((await reader.get(["after"]))[0]?.id).toBe("after");
      await engine.close();
    });

    it("is not read beyond the bound, though the primary is gone: one line says so", async () => {
      const engine = await open([...one.hosts, ...two.hosts], 1);
      await (await engine.writer()).write({ records: [record("caption", "c")] });
      await engine.close();
      // No server is at the primary's address: the replica's lag is unknown.
      const nobody = { host: one.hosts[0]!.host, port: 1 };
      const server = await PostgresServer.open({ ...one, hosts: [nobody, ...two.hosts], staleS: 1 });
      await expect(server.reading((session) => session.rows("SELECT 1"))).rejects.toThrow(
        /no primary answers, and no replica is known to be at most 1 s behind it; wait, or raise \?stale=SECONDS$/,
      );
      await server.close();
    });

    it("does answer within it", async () => {
      const engine = await open([...one.hosts, ...two.hosts], 3_600);
      await (await engine.writer()).write({ records: [record("caption", "seen")] });
      const where = await engine.database.reading((session) => session.rows("SELECT pg_is_in_recovery()"));
      // The replica has at least what the primary had at the first look, however slow it is.
      for (let n = 0; n < 200 && where[0]![0] !== true; n++) {
        await sleep(50);
        where[0] = (
          await engine.database.reading((session) => session.rows("SELECT pg_is_in_recovery()"))
        )[0]!;
      }
      expect(where[0]![0]).toBe(true);
      await engine.close();
    });
  });
