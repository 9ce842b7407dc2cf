import { type Expectation, type Form, type FormName, formOf, type Marked, reasonsOf } from "./expectation.ts";
import { MARKINGS } from "./forms.ts";

/**
 * `wrongly-refused`: declined where an answer was due. An answer where a refusal was due, and a refusal for the wrong
 * reason, are `wrong`.
 */
export const VERDICTS = ["right", "rightly-refused", "wrong", "wrongly-refused"] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface Mark {
  readonly verdict: Verdict;
  /** Why it is not right. */
  readonly why?: string;
}

/** Marks an answer strictly: text and typed fields must both match, and a list must be complete. */
export function markAnswer(expect: Expectation, answer: Marked): Mark {
  const why = wrongOf(expect, answer);
  const hasRefused = answer.status !== "answered";
  if (why === undefined) {
    const asRefusal = reasonsOf(expect).length > 0 && holdsAsRefusal(expect, answer);
    return { verdict: asRefusal ? "rightly-refused" : "right" };
  }
  return { verdict: hasRefused && reasonsOf(expect).length === 0 ? "wrongly-refused" : "wrong", why };
}

/** How an expectation will be marked, in one line. */
export function explainMarking(expect: Expectation): string {
  if ("anyOf" in expect) return expect.anyOf.map((one) => `(${explainMarking(one)})`).join(" OR ");
  if ("allOf" in expect) return expect.allOf.map((one) => `(${explainMarking(one)})`).join(" AND ");
  const name = formOf(expect) as FormName;
  return (MARKINGS[name].explain as (form: Form<FormName>) => string)(expect as Form<FormName>);
}

/** What is said beside a refusal's reason (`allOf`) counts although there is no answer. */
function wrongOf(expect: Expectation, answer: Marked, besideRefusal = false): string | undefined {
  if ("anyOf" in expect) {
    const wrong = expect.anyOf.map((one) => wrongOf(one, answer, besideRefusal));
    return wrong.includes(undefined) ? undefined : wrong.join("; nor: ");
  }
  if ("allOf" in expect) {
    const isRefusal = besideRefusal || reasonsOf(expect).length > 0;
    return expect.allOf.map((one) => wrongOf(one, answer, isRefusal)).find((why) => why !== undefined);
  }
  const name = formOf(expect) as FormName;
  const isHeard =
    besideRefusal || name === "refuse" || answer.status === "answered" || saysSo(expect, answer);
  if (!isHeard) return `refused (${answer.status})`;
  type AnyMarking = (form: Form<FormName>, answer: Marked) => string | undefined;
  return (MARKINGS[name].wrong as AnyMarking)(expect as Form<FormName>, answer);
}

/** "No, I have looked" and "there are none" are answers, whatever their status. */
function saysSo(expect: Expectation, { binary, count, set, status }: Marked): boolean {
  if (status === "ambiguous" || status === "denied") return false;
  if ("yes" in expect) return binary !== undefined;
  if ("count" in expect) return count !== undefined;
  if (!("things" in expect)) return false;
  return (
    set !== undefined || status === "looked-absent" || (status === "not-seen" && expect.things.length === 0)
  );
}

function holdsAsRefusal(expect: Expectation, answer: Marked): boolean {
  if ("anyOf" in expect)
    return expect.anyOf.some((one) => wrongOf(one, answer) === undefined && holdsAsRefusal(one, answer));
  if ("allOf" in expect) return expect.allOf.some((one) => holdsAsRefusal(one, answer));
  return "refuse" in expect;
}
