import { LociError } from "../../schema/core.ts";

/** The location of a memory on PostgreSQL and its use: everything in its URL. */
export interface PostgresPlace {
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string;
  /** Which memory of the database. */
  readonly scene: string;
  readonly schema: string;
  /** Connections of this process. */
  readonly pool: number;
  /** How long one statement may take. */
  readonly timeoutS: number;
  readonly tls: boolean;
  /** Readers use replicas that are at most this many seconds behind; undefined: never. */
  readonly staleS: number | undefined;
  /** Whether this process keeps an index of the scene in memory. */
  readonly resident: boolean;
  /** A folder, or `s3://bucket/prefix`, that blobs lie in; undefined: in the database. */
  readonly blobs: string | undefined;
}

const URL_FORM = /^postgres(?:ql)?:\/\/(?:([^:@/?]*)(?::([^@/?]*))?@)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/;
const OPTIONS = new Set(["scene", "schema", "pool", "timeout", "sslmode", "stale", "resident", "blobs"]);
const DEFAULT_PORT = 5432;

/** Whether a `--memory` names a database rather than a folder. */
export function isPostgresUrl(memory: string): boolean {
  return /^postgres(ql)?:\/\//.test(memory);
}

/** `postgres://user:password@host:port,host:port/database?scene=NAME&…`; several hosts are a primary and its replicas. */
export function parsePostgresUrl(url: string): PostgresPlace {
  const match = URL_FORM.exec(url);
  if (match === null) throw wrong("is not of the form postgres://user:password@host:port/database");
  const [, user, password, hosts = "", database, query] = match;
  if (hosts === "" && !database)
    throw wrong("names no server and no database: postgres://user@host/database");
  const options = new URLSearchParams(query ?? "");
  for (const name of options.keys())
    if (!OPTIONS.has(name))
      throw wrong(`has an unknown option "${name}"; known are ${[...OPTIONS].join(", ")}`);
  const schema = options.get("schema") ?? "loci";
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) throw wrong(`names a schema "${schema}"; use a-z, 0-9 and _`);
  const scene = options.get("scene") ?? "main";
  if (scene.length === 0 || scene.length > 200)
    throw wrong("names a scene of no or more than 200 characters");
  return {
    hosts: hosts.split(",").map(hostOf),
    user: user ? decodeURIComponent(user) : undefined,
    password: password === undefined ? undefined : decodeURIComponent(password),
    database: database ? decodeURIComponent(database) : "postgres",
    scene,
    schema,
    pool: numberIn(options, "pool", 10, 1, 1_000),
    timeoutS: numberIn(options, "timeout", 60, 1, 86_400),
    tls: !["disable", null].includes(options.get("sslmode")),
    staleS: options.has("stale") ? numberIn(options, "stale", 0, 0, 86_400) : undefined,
    resident: options.get("resident") !== "off",
    blobs: options.get("blobs") ?? undefined,
  };
}

/** The URL for people: without its password. */
export function describePlace({ hosts, user, database, scene }: PostgresPlace): string {
  const at = hosts.map(({ host, port }) => `${host}:${port}`).join(",");
  return `postgres://${user ? `${user}@` : ""}${at}/${database}${scene === "main" ? "" : `?scene=${scene}`}`;
}

function hostOf(text: string): { host: string; port: number } {
  const [, host, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(text) ?? [];
  if (host === undefined) throw wrong(`names a host "${text}"; host:port expected`);
  return {
    host: host.replace(/^\[|\]$/g, "") || "127.0.0.1",
    port: port === undefined ? DEFAULT_PORT : Number(port),
  };
}

function numberIn(
  options: URLSearchParams,
  name: string,
  usual: number,
  least: number,
  most: number,
): number {
  const given = options.get(name);
  if (given === null) return usual;
  const value = Number(given);
  if (given === "" || !(value >= least && value <= most))
    throw wrong(`has ${name}=${given}; a number from ${least} to ${most} expected`);
  return value;
}

function wrong(how: string): LociError {
  return new LociError("invalid-input", `the memory's URL ${how}`);
}
