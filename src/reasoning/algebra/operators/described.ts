import { z } from "zod";
import { RELATIONS, type Relation } from "../../../belief/relations.ts";
import type { KnownThing } from "../../../belief/thing.ts";
import { evidenceFor, likelier } from "../../../belief/trust.ts";
import type { Expression } from "../../../schema/index.ts";
import type { Call, Operator, Scope } from "../operator.ts";
import { likelihoods, type Mention } from "../things/likelihood.ts";
import { anchorsOf, judgeByAnchors } from "../things/related.ts";
import { kindsFor, roomKindShares } from "../things/surroundings.ts";
import type { ThingsValue, UnknownValue, Value } from "../value.ts";

/** The most candidates of a kind that are compared. */
const MOST_CANDIDATES = 200;

/** Relations that only mean nearness, which has a term of its own. */
const NEARNESS: ReadonlySet<Relation> = new Set(["near", "beside", "at", "around", "with"]);

/** The referent of a description with many parts. */
export const described: readonly Operator[] = [
  {
    name: "described",
    says: "the things, each as likely as all that is mentioned with it makes it: other things, each in a relation, and rooms",
    takes: [
      { name: "set", kinds: ["things"] },
      { name: "mentioned", kinds: ["things", "rooms"], repeated: true },
    ],
    options: z.strictObject({ relations: z.array(z.enum(RELATIONS)).max(16).optional() }),
    gives: "things",
    reads: ["state"],
    copes: true,
    async run(call) {
      const scope: Scope = { ...call.scope, enough: undefined };
      const set = await call.arg(0, { enough: undefined });
      if (set.kind !== "things") return set;
      const candidates = candidatesIn(set);
      const relations = (call.options["relations"] as readonly Relation[] | undefined) ?? [];
      const mentions = await Promise.all(
        call.node.of.slice(1).map((_, n) => mentionOf(call, n + 1, relations[n] ?? "near", scope)),
      );
      if (candidates.length === 0) return set;
      const all = await scope.memory.everything();
      const isWhole = scope.memory.shareOf(all) === 1;
      const around = { all: isWhole ? all : [], shareOf: await roomKindShares(scope) };
      const p = likelihoods(candidates, mentions, around);
      return asLikely(set, candidates, p);
    },
  },
];

/** All things of that name; the evidence against each only lowers its fit. */
function candidatesIn({ things, elsewhere = [] }: ThingsValue): KnownThing[] {
  return [...things, ...elsewhere].toSorted(likelier).slice(0, MOST_CANDIDATES);
}

function asLikely(set: ThingsValue, candidates: readonly KnownThing[], p: readonly number[]): ThingsValue {
  const things = candidates.map((one, n) => ({ ...one, fit: p[n]!, against: undefined })).toSorted(likelier);
  return {
    ...set,
    things,
    isShared: true,
    elsewhere: undefined,
    lacking: undefined,
    evidence: evidenceFor(things),
  };
}

async function mentionOf(call: Call, n: number, relation: Relation, scope: Scope): Promise<Mention> {
  const value = await call.arg(n, { enough: undefined });
  const name = nameOf(call.node.of[n]!);
  if (call.node.of[n]!.op === "rooms") return roomMention(value, name);
  if (value.kind !== "things" || value.things.length === 0) return { anchors: [], kinds: kindsFor(name) };
  const anchors = anchorsOf(value);
  return {
    anchors: value.things,
    kinds: kindsFor(name),
    ...(!NEARNESS.has(relation) && {
      judge: await judgeByAnchors(relation, anchors, anchors, undefined, scope),
    }),
  };
}

function roomMention(value: Value | UnknownValue, name: string): Mention {
  const rooms = value.kind === "rooms" ? value.rooms : [];
  return {
    anchors: [],
    kinds: [name],
    ...(rooms.length > 0 && { roomIds: new Set(rooms.map(({ id }) => id)) }),
  };
}

function nameOf({ with: options }: Expression): string {
  return String(options["category"] ?? options["name"] ?? "");
}
