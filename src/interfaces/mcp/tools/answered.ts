import { pointText, round, rounded, timeText } from "../../../operations/telling.ts";
import { quoted, seen } from "../../../operations/world-text.ts";
import type { AnswerEvidence, AnswerRecord } from "../../../schema/index.ts";
import type { Row } from "../answer.ts";

const TYPED = ["binary", "count", "durationS", "quantity", "choice", "set", "motion"] as const;

/** An answer in sentences: what, how sure, where, how to get to see it, and what speaks against it. */
export function answerLines({
  status,
  confidence,
  text,
  position,
  navGoal,
  contradictions,
}: AnswerRecord): string[] {
  return [
    `${status === "answered" ? "" : `[${status}] `}${seen(text) || "No answer."} (confidence ${confidence.toFixed(2)})`,
    ...(position
      ? [`At ${pointText(position.point)} m${position.region ? `, in ${quoted(position.region)}` : ""}.`]
      : []),
    ...(navGoal
      ? [
          `To see ${navGoal.name === undefined ? "it" : quoted(navGoal.name)}, drive to ${pointText(navGoal.position)} in ${seen(navGoal.frame)}, facing ${navGoal.yawRad.toFixed(2)} rad${navGoal.stale === undefined ? "" : `; ${navGoal.stale}`}.`,
        ]
      : []),
    ...contradictions.slice(0, 4).map((line) => `But: ${quoted(line)}`),
  ];
}

/** A record that an answer rests on. */
export function evidenceRow(piece: AnswerEvidence): Row {
  return {
    line: `${quoted(piece.why)} ${timeText(piece.atUs)}${piece.position ? ` at ${pointText(piece.position)}` : ""} [${piece.ref}]${piece.viewId ? ` picture [${piece.viewId}]` : ""}`,
    data: {
      id: piece.ref,
      kind: piece.kind,
      why: piece.why,
      time: timeText(piece.atUs),
      ...(piece.position && { position: rounded(piece.position) }),
      ...(piece.viewId !== undefined && { viewId: piece.viewId }),
      ...(piece.trackId !== undefined && { trackId: piece.trackId }),
    },
  };
}

/** The same as data. */
export function answerData(answer: AnswerRecord): Readonly<Record<string, unknown>> {
  const { status, confidence, text, navGoal } = answer;
  return {
    status,
    type: answer.type,
    answer: text,
    confidence: round(confidence),
    ...typedFields(answer),
    ...(navGoal && { goal: { ...navGoal, position: rounded(navGoal.position) } }),
  };
}

/** The field of the answer, by the requested type. */
function typedFields(answer: AnswerRecord) {
  const fields = Object.fromEntries(
    TYPED.flatMap((name) => (answer[name] === undefined ? [] : [[name, answer[name]]])),
  );
  const { position, time } = answer;
  return {
    ...fields,
    ...(position && { position: { ...position, point: rounded(position.point) } }),
    ...(time && { time: timeText(time.atUs) }),
  };
}
