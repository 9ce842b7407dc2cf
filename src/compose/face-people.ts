import type { CallOptions, Change } from "../memory/port.ts";
import {
  type ChangesQuery,
  type Correction,
  type CorrectionsQuery,
  type CorrectRequest,
  categoryOf,
  type MemoryChange,
  type NameRequest,
  type Watch,
  type WatchEvent,
  type WatchRequest,
} from "../schema/core.ts";
import { type FacePart, stampOf } from "./face-part.ts";

/** Corrections by people, and notifications to them. */
export interface PeopleFace {
  /** "That is a printer." */
  correct(request: CorrectRequest): Promise<Correction>;
  /** "This is the charging dock": names a thing, a room, or a place by its coordinates. */
  name(request: NameRequest): Promise<Correction>;
  /** Takes back a correction or a name; without an id, the last one. */
  undo(id?: string): Promise<Correction>;
  /** Corrections, latest first, including undone ones. */
  corrections(query?: CorrectionsQuery): Promise<Correction[]>;
  /** Commits after a known one, or from now on; each once and in order, until the signal ends. */
  changes(query?: ChangesQuery, call?: CallOptions): AsyncIterable<MemoryChange>;
  /** A persistent standing query; `secret` signs its webhook and is returned only here. */
  watch(request: WatchRequest, call?: CallOptions): Promise<Watch & { readonly secret?: string }>;
  watches(): Promise<Watch[]>;
  unwatch(id: string): Promise<Watch>;
  /** Events of a watch after a given number, or from now on; each at least once, until the signal ends. */
  watchEvents(id: string, query?: { readonly after?: number }, call?: CallOptions): AsyncIterable<WatchEvent>;
}

/** The implementation for a memory in this process. */
export function peopleFace(part: FacePart): PeopleFace {
  const { memory, seen, actor } = part;
  const people = () => import("./people.ts");
  const watches = async () => (await import("./watch.ts")).watchesOf(memory);
  const own =
    actor.agent ??
    actor.id
      .replace(/[^A-Za-z0-9_.:-]+/g, "-")
      .replace(/^[^A-Za-z0-9]+/, "")
      .slice(0, 64);
  const saying = { memory, seen, author: own || "somebody" };
  /** Only the owner may speak for others. */
  const authored = <R extends { author?: string | undefined }>({ author, ...rest }: R) =>
    author !== undefined && actor.labels === "*" ? { ...rest, author } : rest;
  const noted = async (act: string, said: Correction): Promise<Correction> => {
    const { appendAudit } = await import("./audit.ts");
    appendAudit(memory.folder, { atUs: Date.now() * 1000, who: actor.id, act, ids: [said.id, said.target] });
    return said;
  };
  return {
    correct: async (request) =>
      noted("correct", await (await people()).correct(saying, authored(request) as CorrectRequest)),
    name: async (request) => {
      const { scene, labels } = stampOf(part);
      const asked = authored(request) as NameRequest;
      const stamped =
        request.at === undefined
          ? asked
          : {
              ...asked,
              labels: labels(request.labels ?? []),
              ...(scene !== undefined && { sceneId: scene }),
            };
      return noted("name", await (await people()).name(saying, stamped));
    },
    undo: async (id) => noted("undo", await (await people()).undo(saying, id)),
    corrections: async (query) => (await people()).corrections(saying, query),
    changes: async function* (query = {}, { signal = new AbortController().signal } = {}) {
      const { tailOf } = await import("./watch.ts");
      for await (const change of tailOf(seen).after(query.after, signal)) {
        const told = changeOf(change, query);
        if (told) yield told;
      }
    },
    watch: async (request, { signal } = {}) => (await watches()).watch(request, actor, signal),
    watches: async () => (await watches()).list(actor),
    unwatch: async (id) => (await watches()).unwatch(id, actor),
    watchEvents: async function* (id, { after } = {}, { signal = new AbortController().signal } = {}) {
      yield* (await watches()).events(id, actor, after, signal);
    },
  };
}

/** Changes by commit and query, cached because many clients follow the same. */
const told = new WeakMap<Change, Map<string, MemoryChange | undefined>>();

/** A commit as reported; undefined if it holds nothing that was asked for. */
function changeOf(change: Change, { kinds, records }: ChangesQuery): MemoryChange | undefined {
  const known = told.get(change) ?? new Map<string, MemoryChange | undefined>();
  told.set(change, known);
  const key = JSON.stringify([kinds, records]);
  if (!known.has(key)) known.set(key, made(change, kinds, records));
  return known.get(key);
}

function made(
  { commitUs, put, sightings, frames, forgotten }: Change,
  kinds: ChangesQuery["kinds"],
  records: boolean | undefined,
): MemoryChange | undefined {
  const named = kinds ? put.filter(({ kind }) => kinds.includes(kind)) : put;
  if (kinds && named.length === 0 && forgotten.length === 0) return undefined;
  return {
    commitUs,
    put: named.map((record) => {
      const { id, kind, version } = record;
      const category = categoryOf(record);
      return {
        id,
        kind,
        version,
        ...(category !== undefined && { category }),
        ...(records && { record: { ...record } }),
      };
    }),
    sightings: sightings.length,
    frames,
    forgotten: [...forgotten],
  };
}
