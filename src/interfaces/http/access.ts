import { hash, randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type Actor, SCOPES, type Scope } from "../../operations/index.ts";
import { idSchema, LociError, nameSchema, parseOrThrow, timeUsSchema } from "../../schema/index.ts";

/** The sender of a request and its rights. */
export interface Caller {
  readonly actor: Actor;
  readonly scopes: readonly Scope[];
  /** Aborted when the grant is removed or changed: its streams and requests end too. */
  readonly ended?: AbortSignal;
  /** The grant behind a token that was made with `token add`. */
  readonly voice?: Voice;
}

/** By which token a caller speaks in a sync. */
interface Voice {
  readonly hash: string;
  /** Whether it may pass on what other memories wrote. */
  readonly relays: boolean;
}

/** The id under which quotas, keys and queue turns are counted: the grant's, not its name's. */
export function callerIdOf({ actor: { id, grant } }: Caller): string {
  return grant ?? id;
}

/** A caller by a grant of the file, or the owner while there is no file. */
interface Admitted extends Caller {
  readonly ended: AbortSignal;
  end(): void;
}

/** Every loopback caller is the machine's owner, as long as the memory never had tokens. */
const OWNER: Pick<Caller, "actor" | "scopes"> = {
  actor: { id: "owner", labels: "*" },
  scopes: ["read", "write", "admin"],
};

const grantSchema = z.strictObject({
  name: nameSchema,
  /** sha-256 of the token, in hex: the file does not reveal the token. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  scopes: z.array(z.enum(SCOPES)).min(1),
  labels: z.union([z.literal("*"), z.array(z.string().min(1).max(64)).max(256)]),
  scene: idSchema.optional(),
  agent: idSchema.optional(),
  /** The memories that it speaks for in a sync: those named by the owner, else the first one that came with it. */
  memories: z.array(idSchema).max(256).optional(),
  /** Since when it speaks for the first memory that came with it; absent where memories were named. */
  spokeFromUs: timeUsSchema.optional(),
  /** Whether it may pass on what other memories wrote. */
  relay: z.boolean().optional(),
  createdUs: timeUsSchema,
});
const fileSchema = z.strictObject({ format: z.literal(1), tokens: z.array(grantSchema).max(10_000) });

/** The rights of a token; the token itself is shown once and never stored. */
export type Grant = z.infer<typeof grantSchema>;
export type NewGrant = Omit<Grant, "hash" | "createdUs" | "spokeFromUs">;

const PREFIX = "loci_";

/**
 * The tokens of one memory, in `access.json` beside it. A token holds 256 random bits, so its plain sha-256 is enough
 * to recognise it, and a lookup by that hash reveals nothing by its duration.
 */
export class Access {
  readonly #path: string;
  readonly #own = new Map<string, Caller>();
  readonly #listeners = new Set<() => void>();
  #grants: ReadonlyMap<string, Admitted> = new Map();
  /** Undefined once there is, or was, a file of tokens: a memory that had tokens stays closed without them. */
  #owner: Admitted | undefined;
  #stamp = "";

  constructor(folder: string) {
    this.#path = join(folder, "access.json");
    if (!existsSync(this.#path)) this.#owner = admitted(OWNER);
    this.refresh();
  }

  /** Whether there never were tokens: then everything on loopback is the owner's. */
  get isOpen(): boolean {
    return this.#owner !== undefined;
  }

  /** The loopback caller while the memory has no tokens. */
  get owner(): Caller | undefined {
    return this.#owner;
  }

  /** The caller that holds this token; undefined for a wrong one. */
  admit(token: string): Caller | undefined {
    const hash = hashOf(token);
    return this.#grants.get(hash) ?? this.#own.get(hash);
  }

  /** Whether a grant (`actor.grant`) is still given, as it was. */
  holds(grant: string): boolean {
    return [...this.#grants.values()].some(({ actor }) => actor.grant === grant);
  }

  /** Calls when grants were taken away or changed. Returns the way to stop that. */
  onEnded(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A token valid while this process runs, for the process that takes over from it. */
  issue(caller: Caller): string {
    const token = PREFIX + randomBytes(32).toString("base64url");
    this.#own.set(hashOf(token), caller);
    return token;
  }

  /** Takes an issued one back. */
  revoke(token: string): void {
    this.#own.delete(hashOf(token));
  }

  /**
   * Refuses a caller that may not speak for these memories. A token that speaks for none yet claims the first one that
   * comes with it, unless another token speaks for it.
   */
  speakFor({ scopes, voice }: Caller, sender: string, memories: readonly string[], nowUs: number): void {
    if (voice === undefined || voice.relays || scopes.includes("admin")) return;
    const others = memories.filter((memory) => memory !== sender);
    if (others.length > 0)
      throw new LociError(
        "access-denied",
        `this token speaks for one memory and may not pass on what ${short(others[0]!)} wrote; that needs a token made with --relay`,
      );
    const grants = readGrants(this.#path);
    const grant = grants.find(({ hash }) => hash === voice.hash);
    if (grant === undefined) throw new LociError("access-denied", "the token was taken away");
    const own = grant.memories ?? [];
    if (own.includes(sender)) return;
    if (own.length > 0)
      throw new LociError(
        "access-denied",
        `this token speaks for memory ${own.map(short).join(", ")}, not for ${short(sender)}; make one for that with --memory-id ${sender}`,
      );
    if (grants.some(({ memories: taken = [] }) => taken.includes(sender)))
      throw new LociError(
        "access-denied",
        `another token speaks for memory ${short(sender)}; if that is wrong, remove it and make one with --memory-id ${sender}`,
      );
    const claim = { memories: [sender], spokeFromUs: nowUs };
    this.#write(grants.map((one) => (one.hash === voice.hash ? { ...one, ...claim } : one)));
  }

  list(): readonly Grant[] {
    return readGrants(this.#path);
  }

  add(grant: NewGrant, nowUs: number): string {
    const grants = readGrants(this.#path);
    if (grants.some(({ name }) => name === grant.name))
      throw new LociError("invalid-input", `there is a token "${grant.name}" already; remove it first`);
    const token = PREFIX + randomBytes(32).toString("base64url");
    this.#write([...grants, { ...grant, hash: hashOf(token), createdUs: nowUs }]);
    return token;
  }

  /** Tells what the token granted. */
  remove(name: string): Grant {
    const grants = readGrants(this.#path);
    const gone = grants.find((grant) => grant.name === name);
    if (gone === undefined) throw new LociError("unknown-id", `there is no token "${name}"`);
    this.#write(grants.filter((grant) => grant !== gone));
    return gone;
  }

  /**
   * Reads the file again if it changed: tokens are added and removed while a server runs. Callers whose grant was
   * removed or changed are notified at once. An unreadable file admits no caller.
   */
  refresh(): void {
    const exists = existsSync(this.#path);
    const stamp = exists ? stampOf(this.#path) : "none";
    if (stamp === this.#stamp) return;
    this.#stamp = "";
    const before = [...this.#grants.values(), ...(this.#owner && exists ? [this.#owner] : [])];
    if (exists) this.#owner = undefined;
    const kept = new Map(before.map((caller) => [caller.actor.grant, caller]));
    this.#grants = new Map();
    try {
      const callers = readGrants(this.#path).map((grant) => [grant.hash, callerOf(grant)] as const);
      this.#grants = new Map(
        callers.map(([hash, caller]) => [hash, kept.get(caller.actor.grant) ?? admitted(caller)]),
      );
      this.#stamp = stamp;
    } finally {
      const still = new Set(this.#grants.values());
      const gone = before.filter((caller) => !still.has(caller));
      for (const caller of gone) caller.end();
      if (gone.length > 0) for (const listener of this.#listeners) listener();
    }
  }

  #write(grants: readonly Grant[]): void {
    const draft = `${this.#path}.${process.pid}.new`;
    writeFileSync(draft, `${JSON.stringify({ format: 1, tokens: grants }, null, 2)}\n`, { mode: 0o600 });
    chmodSync(draft, 0o600);
    renameSync(draft, this.#path);
    this.refresh();
  }
}

function admitted(caller: Caller): Admitted {
  const ending = new AbortController();
  return { ...caller, ended: ending.signal, end: () => ending.abort() };
}

const short = (memory: string): string => memory.slice(0, 12);

function callerOf(grant: Grant): Caller {
  const { name, scopes, labels, scene, agent, hash, relay } = grant;
  const own = scene === undefined ? [] : [`scene:${scene}`];
  return {
    scopes,
    voice: { hash, relays: relay === true },
    actor: {
      id: name,
      grant: grantIdOf(grant),
      labels: labels === "*" ? "*" : [...new Set([...labels, ...own])],
      ...(scene === undefined ? {} : { scene }),
      ...(agent === undefined ? {} : { agent }),
    },
  };
}

/**
 * The identity of a grant for everything owned by it: another grant of the same name, or with other rights, is a
 * different one. A grant that claims a memory at its first sync stays the same: `speakFor` reads the claim at each
 * sync.
 */
function grantIdOf({ createdUs: _, memories: __, spokeFromUs: ___, ...grant }: Grant): string {
  return hashOf(JSON.stringify(grant)).slice(0, 32);
}

function hashOf(token: string): string {
  return hash("sha256", token, "hex");
}

function stampOf(path: string): string {
  const { mtimeNs, size, ino } = statSync(path, { bigint: true });
  return `${mtimeNs}:${size}:${ino}`;
}

function readGrants(path: string): Grant[] {
  if (!existsSync(path)) return [];
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new LociError("invalid-input", `${path} is not JSON; nobody is let in by a file that is damaged`, {
      cause,
    });
  }
  return parseOrThrow(fileSchema, json, path).tokens;
}
