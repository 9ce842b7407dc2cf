import { isLiveFormat, REFUSAL_TEXT, SKIP_WORDS } from "../../compose.ts";
import type { IngestReport, MapJoin, SkipReason, SourcePlan } from "../../index.ts";
import { countOf, timeText } from "./terminal.ts";

const NAMED_SKIPS = 3;

/** What was found at the source, as text for a person. */
export function planLines({
  format,
  streams,
  frames,
  captions,
  graphs,
  startUs,
  endUs,
  poses,
  conventions,
  missing,
}: SourcePlan): string[] {
  const held = [
    frames > 0 || captions + graphs === 0 ? countOf(frames, "frame") : "",
    captions > 0 ? countOf(captions, "caption") : "",
    graphs > 0 ? countOf(graphs, "scene graph") : "",
  ];
  const span = startUs === null || endUs === null ? "" : `, ${timeText(startUs)} to ${timeText(endUs)}`;
  return [
    `${format}: ${isLiveFormat(format) ? "a live robot" : held.filter((part) => part !== "").join(", ")}${span}; poses: ${poses ? `${poses.count || "some"} from ${poses.from}` : "none"}`,
    ...streams
      .slice(0, 12)
      .map(
        ({ name, type, count, rateHz, use }) =>
          `  ${name} (${type})${count === null ? "" : `: ${count}`}${rateHz === null || rateHz === undefined ? "" : ` at ${rateHz.toFixed(1)} Hz`}${use ? `, ${use}` : ""}`,
      ),
    ...conventions.map((line) => `  ${line}`),
    ...missing.map((line) => `  missing: ${line}`),
  ];
}

/** The source of poses and detections, where the recording does not contain them. */
export function placingLines(
  plan: SourcePlan,
  how: string,
  {
    detector = "none",
    classes,
    segmenter,
    ocr = "none",
  }: {
    readonly detector?: string;
    readonly classes?: readonly string[];
    readonly segmenter: string;
    readonly ocr?: string;
  },
): string[] {
  const placing = {
    recorded: "",
    icp: "poses: from depth by RGB-D odometry, in a map of the camera's own; they drift (--odometry none leaves them out)",
    none: plan.poses === null ? "poses: none; frames are found by text and time only" : "",
  }[how];
  return [
    placing ?? `poses: from the service at ${how}`,
    detector === "none"
      ? unseen(plan)
      : detector === "eyes"
        ? seenByUs(plan)
        : `things: found in the pictures by ${detector}${classes === undefined ? "" : `: ${classes.join(", ")}`}`,
    segmenter === "none"
      ? ""
      : detector === "eyes"
        ? `outlines: those of Loci's own eyes; ${segmenter} cuts only what comes with boxes and without outlines`
        : `outlines: cut out by ${segmenter}`,
    { none: "", paddle: "writing: read on each thing by PP-OCR (--ocr none leaves it out)" }[ocr] ??
      `writing: read by ${ocr}`,
  ].filter((line) => line !== "");
}

/** Our own detector runs only where a recording has no detections of its own. */
function seenByUs({ streams }: SourcePlan): string {
  const isPlain = streams.some(({ use }) => use === "colour");
  return isPlain
    ? "things: seen by Loci's own eyes in colour and depth (--detector none leaves them out)"
    : "things: as recorded; frames that come without any are seen by Loci's own eyes (--detector none leaves them out)";
}

/** Pictures that no detector reads: what will be missing from the memory, and how to change that. */
function unseen({ streams }: SourcePlan): string {
  const hasPictures = streams.some(({ use }) => use === "colour");
  const hasWords = streams.some(({ use }) => use === "frames" || use === "graph");
  return hasPictures && !hasWords
    ? "things: none; Loci's own eyes need depth, a detector does not (--detector coco); pictures are kept as views"
    : "";
}

/** What the reader skipped: a few by name, the rest counted. */
export class LeftOut {
  readonly #named: string[] = [];
  count = 0;

  readonly note = ({ what, why }: { readonly what: string; readonly why: string }): void => {
    this.count++;
    if (this.#named.length < NAMED_SKIPS) this.#named.push(`  ${what}: ${why}`);
  };

  lines(): string[] {
    if (this.count === 0) return [];
    const more = this.count - this.#named.length;
    return [
      `${countOf(this.count, "part")} of the recording could not be read:`,
      ...this.#named,
      ...(more > 0 ? [`  and ${more} more`] : []),
    ];
  }
}

/** The outcome of an ingest, for a person: what was read and skipped, and what the memory gained. */
export function summaryLines(summary: IngestReport): string[] {
  const { frames, written, framesPerS, late, latestByS, withoutDepth, corrections, redacted } = summary;
  const skipped = Object.entries(summary.skipped).map(
    ([reason, n]) => `${n} ${SKIP_WORDS[reason as SkipReason] ?? reason}`,
  );
  const taken = [
    `${countOf(written, "frame")} of ${frames} taken in, ${framesPerS.toFixed(0)} a second`,
    skipped.length > 0 ? `left out or kept in part: ${skipped.join(", ")}` : "",
    late > 0 ? `${late} late, by up to ${latestByS.toFixed(1)} s` : "",
  ];
  const kinds = ["detection", "track", "state", "view", "caption", "place", "region", "event"] as const;
  const made = kinds.flatMap((kind) => {
    const n = summary[`${kind}s`];
    const aside = kind === "detection" && withoutDepth > 0 ? ` (${withoutDepth} without depth)` : "";
    return n > 0 ? [`${countOf(n, kind)}${aside}`] : [];
  });
  const news = [
    made.join(", ") || "nothing new to remember",
    written > 0 && summary.tracks === 0 && summary.detections === 0
      ? "no thing was recognised in any frame"
      : "",
    corrections > 0 ? `the map was corrected ${countOf(corrections, "time")}` : "",
    redacted > 0 ? `${countOf(redacted, "detection")} redacted` : "",
  ];
  const sentence = (parts: readonly string[]) => parts.filter((part) => part !== "").join("; ");
  return [
    ...(frames > 0 ? [sentence(taken)] : []),
    sentence(news),
    ...arrivalLines(summary),
    ...returnLines(summary),
    ...summary.maps.map(mapLine),
  ];
}

/** Where a recording was found to lie, in a sentence. */
function arrivalLines({ arrival }: IngestReport): string[] {
  if (arrival === undefined) return [];
  const { map, into, intoFromMap, agreement, refused, isKnown } = arrival;
  if (isKnown) return [`this recording was taken in before, in the map "${map}"`];
  if (into !== undefined && intoFromMap) {
    const { p, q } = intoFromMap;
    const degrees = Math.round((2 * Math.atan2(q.z, q.w) * 180) / Math.PI);
    const farM = Math.hypot(p.x, p.y, p.z);
    const where =
      farM < 0.3 && Math.abs(degrees) < 6
        ? "lies as it says"
        : `is turned by ${degrees}° and ${farM.toFixed(1)} m off`;
    return [
      `the place was recognised: the recording ${where} in the map "${into}" (${Math.round(100 * agreement!)} % of what both show agrees); its map is "${map}"`,
    ];
  }
  if (refused === undefined) return [];
  return [
    `the recording is kept apart, as the map "${map}": ${REFUSAL_TEXT[refused]} (--map world if its poses are in the known world; align --into world --map ${map} --transform … if you know how it lies)`,
  ];
}

const MOST_NAMED = 8;

/** What changed since the last visit: gone, new, moved, not looked at. */
function returnLines({ returned }: IngestReport): string[] {
  if (returned === undefined) return [];
  const { again, notLookedAt, firstSeen, moved, gone, new: appeared } = returned;
  const named = (what: string, names: readonly string[]) => {
    const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
    return names.length === 0
      ? `nothing ${what}`
      : `${what}: ${names.slice(0, MOST_NAMED).join(", ")}${more}`;
  };
  return [
    `since then ${named("moved", moved)}; ${named("gone", gone)}; ${named("new", appeared)}; ${again} things are where they were, ${notLookedAt} were not looked at, ${firstSeen} are where nobody had looked`,
  ];
}

/** Why a map is still apart from another. */
export const APART: Readonly<Record<NonNullable<MapJoin["refused"]>, string>> = {
  "nothing-in-common": "they have too little in common",
  "not-sure": "nothing in them says clearly enough how they lie",
  ambiguous: "it could lie in more than one way",
  "other-labels": "they have other access labels",
  "taken-off": "somebody took it off; align joins it again",
};

/** The pose of a second map in the first, or that the two are still apart. */
export function mapLine({ root, into, refused, things, doubted, sigmaM }: MapJoin): string {
  if (refused)
    return `the map "${root}" is not joined to "${into}": ${APART[refused]}; counts, rooms and ways are of one map each (--frame ${root} for this one)`;
  const exactly = sigmaM === undefined ? "" : `, to about ${Math.max(1, Math.round(sigmaM * 100))} cm`;
  const doubts = doubted
    ? `; ${doubted.join(", ")} often calls one thing by several names and is doubted`
    : "";
  return `the map "${root}" was joined to "${into}" by ${countOf(things, "thing")} that both have${exactly}${doubts}`;
}
