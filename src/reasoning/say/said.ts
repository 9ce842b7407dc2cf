import type { RoomView } from "../../belief/room-names.ts";
import type { KnownThing } from "../../belief/thing.ts";
import type { Vec3 } from "../../geometry/index.ts";
import type { AnswerEvidence, AnswerInput, AnswerStatus, AnswerType } from "../../schema/index.ts";
import type { Value } from "../algebra/value.ts";
import type { Surroundings } from "./naming.ts";

/** The typed fields of an answer. */
export type Fields = Pick<
  AnswerInput,
  "binary" | "position" | "yawRad" | "time" | "durationS" | "count" | "quantity" | "set" | "motion"
>;

/** A value in words, with the other fields of an answer. */
export interface Said extends Fields {
  readonly status: AnswerStatus;
  readonly type: AnswerType;
  readonly text: string;
  readonly evidence: readonly AnswerEvidence[];
  readonly contradictions?: readonly string[];
  /** The thing or place to go to. */
  readonly goal?: KnownThing | undefined;
  readonly goalPlace?: Vec3 | undefined;
}

/** One of several possible referents, with its value. */
export interface Rival {
  readonly thing: KnownThing;
  readonly value: Value;
}

/** Inputs for the wording beside the value. */
export interface SayContext {
  readonly nowUs: number;
  readonly surroundings?: Surroundings | undefined;
  readonly roomAt?: ((point: Vec3) => Promise<RoomView | undefined>) | undefined;
  /** The possible referents, the likeliest first, where the reference is ambiguous. */
  readonly rivals?: readonly Rival[] | undefined;
  /** Whether a word is in the vocabulary or in this memory. */
  readonly knows?: ((word: string) => boolean) | undefined;
}

/** The result of a voice; `say` adds the rest. */
export type Spoken = Omit<Said, "status" | "evidence"> & Partial<Pick<Said, "status" | "evidence">>;

export async function positionOf(
  thing: KnownThing | undefined,
  { surroundings }: SayContext,
): Promise<Fields["position"] | undefined> {
  if (!thing?.position) return undefined;
  const room = await surroundings?.roomOf(thing);
  return {
    point: thing.position,
    frame: "world",
    sdM: 0.1,
    trackId: thing.trackId,
    ...(room && { region: room.name }),
  };
}

/** The most names in the set of an answer. */
export const MOST_IN_SET = 1_000;

export function setOf(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.slice(0, 256)).filter((name) => name !== ""))].slice(
    0,
    MOST_IN_SET,
  );
}
