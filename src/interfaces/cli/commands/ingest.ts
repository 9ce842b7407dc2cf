import { readFile } from "node:fs/promises";
import { ingestRecording } from "../../../compose.ts";
import { LociError } from "../../../schema/core.ts";
import { type MemoryOptions, withMemory } from "../open.ts";
import { countOf, type Terminal } from "../terminal.ts";

export interface IngestCommandOptions extends MemoryOptions {
  readonly scene: string;
  readonly labels?: string[];
  readonly mode: "loci" | "paper";
  readonly privacy?: string;
  readonly redact?: string[];
}

/** A recording into the memory, with progress; interrupted, it is simply run again. */
export async function run(options: IngestCommandOptions, terminal: Terminal, source: string): Promise<void> {
  const privacy = await policyOf(options);
  const summary = await withMemory(options, { create: true }, (memory) =>
    ingestRecording(
      memory,
      source,
      { sceneId: options.scene, labels: options.labels, mode: options.mode, privacy },
      {
        signal: terminal.signal,
        onProgress: ({ frames, totalFrames, elapsedMs }) => {
          const perS = frames / (elapsedMs / 1000);
          const leftS = Math.ceil((totalFrames - frames) / perS);
          terminal.progress(
            `${frames} of ${totalFrames} frames, ${perS.toFixed(0)} a second, ${leftS} s left`,
          );
        },
      },
    ),
  );
  terminal.result(summary, () => {
    const skipped = Object.entries(summary.skipped).map(([reason, n]) => `${n} ${reason}`);
    return [
      `${countOf(summary.written, "frame")} of ${summary.frames} taken in, ${summary.framesPerS.toFixed(0)} a second` +
        (skipped.length > 0 ? `; not or not whole: ${skipped.join(", ")}` : "") +
        (summary.late > 0 ? `; ${summary.late} late, by up to ${summary.latestByS.toFixed(1)} s` : ""),
      `${countOf(summary.detections, "detection")} (${summary.withoutDepth} without depth), ${countOf(summary.tracks, "track")}, ${countOf(summary.states, "state")}, ${countOf(summary.views, "view")}, ${countOf(summary.captions, "caption")}, ${countOf(summary.places, "place")}, ${countOf(summary.regions, "region")}, ${countOf(summary.events, "event")}` +
        (summary.corrections > 0 ? `; the map was corrected ${summary.corrections} times` : "") +
        (summary.redacted > 0 ? `; ${countOf(summary.redacted, "detection")} redacted` : ""),
    ].join("\n");
  });
}

/** The policy file, with the categories that --redact adds: "person" or "person:blur". */
async function policyOf({ privacy, redact = [] }: IngestCommandOptions) {
  const rules = redact.map((rule) => {
    const [category = "", action = "drop"] = rule.split(":");
    if (action !== "drop" && action !== "blur")
      throw new LociError(
        "invalid-input",
        `--redact expects CATEGORY, CATEGORY:drop or CATEGORY:blur, got "${rule}"`,
      );
    return { category, action } as const;
  });
  if (privacy === undefined) return { redact: rules };
  try {
    const policy = JSON.parse(await readFile(privacy, "utf8"));
    return { ...policy, redact: [...(policy?.redact ?? []), ...rules] };
  } catch (cause) {
    throw new LociError(
      "invalid-input",
      `--privacy expects a JSON file with "redact" and "zones", cannot read ${privacy}: ${(cause as Error).message}`,
      { cause },
    );
  }
}
