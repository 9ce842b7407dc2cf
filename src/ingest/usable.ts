import { IDENTITY } from "../geometry/index.ts";
import { inspect } from "../perception/index.ts";
import { isDark, LociError, throwIfAborted } from "../schema/core.ts";
import type { RecordingReader } from "../sensors/index.ts";
import { SKIP_WORDS, type SkipReason } from "./counts.ts";

/** Something that a recording's reader skipped, and the reason. */
interface LeftOut {
  readonly what: string;
  readonly why: string;
}

/**
 * Reads a recording up to its first usable frame, before a memory is created or touched. Without one it throws, with
 * every reason and its count; `unreadable` lists what the reader has skipped so far.
 */
export async function checkUsable(
  recording: RecordingReader,
  unreadable: () => readonly LeftOut[],
  signal?: AbortSignal,
): Promise<void> {
  const reasons = new Map<SkipReason, number>();
  let frames = 0;
  for await (const item of recording.items(signal ? { signal } : {})) {
    throwIfAborted(signal);
    if (item.kind === "edge") continue;
    if (item.kind !== "frame") return;
    const { frame } = item;
    const place = { submapFromCamera: frame.worldFromCamera ?? IDENTITY, worldFromSubmap: IDENTITY };
    const seen = inspect(frame, place);
    const isSpoken = Boolean(frame.detections?.length || frame.captions?.length);
    const isBlack = !("reason" in seen) && !isSpoken && (seen.restricted || (frame.rgb && isDark(frame.rgb)));
    const reason = "reason" in seen ? seen.reason : isBlack ? "black" : undefined;
    if (reason === undefined) return;
    frames++;
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const left = unreadable();
  const whys = [
    ...[...reasons].map(([reason, n]) => `${n} ${SKIP_WORDS[reason]}`),
    ...(left.length > 0 ? [`${left.length} unreadable (${left[0]!.what}: ${left[0]!.why})`] : []),
  ];
  const count = frames + left.length;
  throw new LociError(
    "invalid-input",
    whys.length === 0
      ? "the recording has no frames"
      : `nothing can be made of this recording: of ${count} ${count === 1 ? "frame" : "frames"} ${whys.join(", ")}`,
  );
}
