import type { Vec3 } from "../geometry/index.ts";
import type { AnswerEvidence, AnswerInput, RecordKind } from "../schema/index.ts";
import type { Need } from "./need.ts";
import type { AgentPose } from "./recall/poses.ts";
import type { Recall } from "./recall/recall.ts";
import type { Thing } from "./recall/thing.ts";

/** The typed fields of an answer that a rule may fill. */
export type Values = Pick<
  AnswerInput,
  "binary" | "position" | "yawRad" | "time" | "durationS" | "count" | "quantity" | "set" | "motion"
>;

/** What a rule found out: the answer's content, before it is put into its final form. */
export interface Finding extends Values {
  readonly status: AnswerInput["status"];
  readonly text: string;
  readonly evidence: readonly AnswerEvidence[];
  /** How sure, before calibration: fit of what was found, its support, and how complete the search was. */
  readonly confidence: number;
  readonly contradictions?: readonly string[];
  /** What to go and look at. */
  readonly goal?: Thing | undefined;
  /** Where to go, where that is a place and no thing. */
  readonly goalPlace?: Vec3 | undefined;
}

/** Everything a rule may use beside the need. */
export interface RuleContext {
  readonly recall: Recall;
  /** The question as it was asked; a need may hold it in plainer words. */
  readonly question?: string | undefined;
  /** Who is asked, and where it stands now. */
  readonly agentId?: string | undefined;
  readonly pose?: AgentPose | undefined;
  readonly broadened: number;
  /** Lengths of ways, where a map is at hand; straight lines otherwise. */
  readonly pathM?: ((from: Vec3, to: Vec3) => number | undefined) | undefined;
  /** Share of a region looked at since a time, where a map is at hand. */
  readonly looked?: ((roomId: string | undefined, sinceUs: number) => number | undefined) | undefined;
}

export type Rule = (need: Need, context: RuleContext) => Promise<Finding>;

/** Nothing to go by: the rule cannot say. */
export function unknown(text: string, status: Finding["status"] = "insufficient"): Finding {
  return { status, text, evidence: [], confidence: 0.3 };
}

export function evidenceOf(thing: Thing, why: string, atUs = thing.state.validFromUs): AnswerEvidence {
  return {
    ref: thing.state.id,
    kind: "state",
    why,
    atUs,
    agentId: thing.state.author,
    score: thing.fit,
    trackId: thing.trackId,
    ...(thing.position && { position: thing.position }),
    ...(thing.state.views[0] !== undefined && { viewId: thing.state.views[0] }),
  };
}

export function evidenceOfRecord(
  record: {
    readonly id: string;
    readonly kind: RecordKind;
    readonly validFromUs: number;
    readonly author: string;
  },
  why: string,
  score: number,
  position?: Vec3,
): AnswerEvidence {
  return {
    ref: record.id,
    kind: record.kind,
    why: why === "" ? record.kind : why,
    atUs: record.validFromUs,
    agentId: record.author,
    score,
    ...(position && { position }),
  };
}
