import { createHash, randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Actor } from "../../compose.ts";
import { idSchema, LociError, nameSchema, parseOrThrow, timeUsSchema } from "../../schema/index.ts";

export const SCOPES = ["read", "write", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

/** Who a request is from and what he may do. */
export interface Caller {
  readonly actor: Actor;
  readonly scopes: readonly Scope[];
  /** The grant behind a token that was made with `token add`. */
  readonly voice?: Voice;
}

/** For which memories a token may speak in a sync. */
interface Voice {
  readonly hash: string;
  readonly memories: readonly string[];
  readonly relays: boolean;
}

const grantSchema = z.strictObject({
  name: nameSchema,
  /** sha-256 of the token, in hex: whoever reads the file cannot use it. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  scopes: z.array(z.enum(SCOPES)).min(1),
  labels: z.union([z.literal("*"), z.array(z.string().min(1).max(64)).max(256)]),
  scene: idSchema.optional(),
  agent: idSchema.optional(),
  /** The memories that it speaks for in a sync: those that were named, else the first one that came with it. */
  memories: z.array(idSchema).max(256).optional(),
  /** Whether it may pass on what other memories wrote. */
  relay: z.boolean().optional(),
  createdUs: timeUsSchema,
});
const fileSchema = z.strictObject({ format: z.literal(1), tokens: z.array(grantSchema).max(10_000) });

/** What a token grants; the token itself is told once and kept nowhere. */
export type Grant = z.infer<typeof grantSchema>;
export type NewGrant = Omit<Grant, "hash" | "createdUs">;

const PREFIX = "loci_";

/**
 * The tokens of one memory, in `access.json` beside it. A token holds 256 random bits, so its plain sha-256 is enough to
 * know it again, and looking it up by that hash takes the same time whatever it is compared with.
 */
export class Access {
  readonly #path: string;
  readonly #own = new Map<string, Caller>();
  #grants = new Map<string, Caller>();
  #stamp = "";

  constructor(folder: string) {
    this.#path = join(folder, "access.json");
    this.refresh();
  }

  /** Whether there are any; while there are none, everything on loopback is the owner's. */
  get isOpen(): boolean {
    return this.#grants.size === 0;
  }

  /** Who holds this token; undefined for a wrong one. */
  admit(token: string): Caller | undefined {
    const hash = hashOf(token);
    return this.#grants.get(hash) ?? this.#own.get(hash);
  }

  /** A token for as long as this process runs: for whoever it hands its place to. */
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
   * Refuses a caller who may not speak for these memories. A token that speaks for none yet speaks for the first one that
   * comes with it, unless another token does.
   */
  speakFor({ scopes, voice }: Caller, sender: string, memories: readonly string[]): void {
    if (voice === undefined || voice.relays || scopes.includes("admin")) return;
    const others = memories.filter((memory) => memory !== sender);
    if (others.length > 0)
      throw new LociError(
        "access-denied",
        `this token speaks for one memory and may not pass on what ${short(others[0]!)} wrote; that needs a token made with --relay`,
      );
    const grants = readGrants(this.#path);
    const own = grants.find(({ hash }) => hash === voice.hash)?.memories ?? [];
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
    this.#write(grants.map((one) => (one.hash === voice.hash ? { ...one, memories: [sender] } : one)));
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

  remove(name: string): void {
    const grants = readGrants(this.#path);
    if (!grants.some((grant) => grant.name === name))
      throw new LociError("unknown-id", `there is no token "${name}"`);
    this.#write(grants.filter((grant) => grant.name !== name));
  }

  /** Reads the file again if it changed: tokens are added and removed while a server runs. */
  refresh(): void {
    const stamp = existsSync(this.#path) ? stampOf(this.#path) : "none";
    if (stamp === this.#stamp) return;
    this.#grants = new Map(readGrants(this.#path).map((grant) => [grant.hash, callerOf(grant)]));
    this.#stamp = stamp;
  }

  #write(grants: readonly Grant[]): void {
    const draft = `${this.#path}.${process.pid}.new`;
    writeFileSync(draft, `${JSON.stringify({ format: 1, tokens: grants }, null, 2)}\n`, { mode: 0o600 });
    chmodSync(draft, 0o600);
    renameSync(draft, this.#path);
    this.refresh();
  }
}

const short = (memory: string): string => memory.slice(0, 12);

function callerOf({ name, scopes, labels, scene, agent, hash, memories, relay }: Grant): Caller {
  const own = scene === undefined ? [] : [`scene:${scene}`];
  return {
    scopes,
    voice: { hash, memories: memories ?? [], relays: relay === true },
    actor: {
      id: name,
      labels: labels === "*" ? "*" : [...new Set([...labels, ...own])],
      ...(scene === undefined ? {} : { scene }),
      ...(agent === undefined ? {} : { agent }),
    },
  };
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
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
