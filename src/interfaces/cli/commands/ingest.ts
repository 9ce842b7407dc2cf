import { readFile } from "node:fs/promises";
import { describeRecording, ingestRecording, odometryFor } from "../../../compose.ts";
import type { IngestProgress, SourcePlan } from "../../../index.ts";
import { LociError } from "../../../schema/core.ts";
import { type ModelOptions, usageLines, withModels } from "../models.ts";
import { type MemoryOptions, withMemory } from "../open.ts";
import { countOf, type Terminal, timeText } from "../terminal.ts";

export interface IngestCommandOptions extends MemoryOptions, ModelOptions {
  readonly scene: string;
  readonly labels?: string[];
  readonly mode: "loci" | "paper";
  readonly privacy?: string;
  readonly redact?: string[];
  readonly dryRun?: boolean;
  readonly depthUnit?: number;
  readonly start?: number;
  readonly agent?: string;
  readonly detector: string;
  readonly odometry: string;
  readonly ocr: string;
  readonly rate?: number;
  readonly frames?: number;
}

/** What was found at the source, for a person. */
function planLines({
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
    countOf(frames, "frame"),
    captions > 0 ? countOf(captions, "caption") : "",
    graphs > 0 ? countOf(graphs, "scene graph") : "",
  ];
  const span = startUs === null || endUs === null ? "" : `, ${timeText(startUs)} to ${timeText(endUs)}`;
  return [
    `${format}: ${format === "rosbridge" ? "a live robot" : held.filter((part) => part !== "").join(", ")}${span}; poses: ${poses ? `${poses.count || "some"} from ${poses.from}` : "none"}`,
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

/** How frames get their places and their things, where the recording does not bring them. */
function placingLines(plan: SourcePlan, how: string, { detector }: IngestCommandOptions): string[] {
  const placing = {
    recorded: "",
    icp: "poses: from depth by RGB-D odometry, in a map of the camera's own; they drift (--odometry none leaves them out)",
    none: plan.poses === null ? "poses: none; frames are found by text and time only" : "",
  }[how];
  return [
    placing ?? `poses: from the service at ${how}`,
    detector === "none" ? "" : `things: found in the pictures by ${detector}`,
  ].filter((line) => line !== "");
}

/** A recording into the memory, with progress; interrupted, it is simply run again. */
export async function run(options: IngestCommandOptions, terminal: Terminal, source: string): Promise<void> {
  const privacy = await policyOf(options);
  const read = {
    ...(options.depthUnit !== undefined && { depthUnitM: options.depthUnit }),
    ...(options.start !== undefined && { startUs: options.start }),
    ...(options.agent !== undefined && { agentId: options.agent }),
    ...(options.rate !== undefined && { rateHz: options.rate }),
    ...(options.frames !== undefined && { maxFrames: options.frames }),
  };
  const plan = await describeRecording(source, read);
  if (options.dryRun) return terminal.result(plan, () => planLines(plan).join("\n"));
  const odometry = odometryFor(plan, options.odometry);
  if (!terminal.json)
    for (const line of [...planLines(plan), ...placingLines(plan, odometry, options)]) terminal.note(line);
  const { summary, models: used } = await withModels(options, "ingest", terminal, async (models) => {
    // A wrong key should not be found out after an hour of frames.
    await models.check(terminal.signal);
    const hooks = {
      signal: terminal.signal,
      onProgress: ({ frames, totalFrames, elapsedMs }: IngestProgress) => {
        const perS = frames / (elapsedMs / 1000);
        const leftS = Math.ceil((totalFrames - frames) / perS);
        terminal.progress(`${frames} of ${totalFrames} frames, ${perS.toFixed(0)} a second, ${leftS} s left`);
      },
    };
    const done = await withMemory(options, { create: true }, (memory) =>
      ingestRecording(
        memory,
        source,
        {
          sceneId: options.scene,
          labels: options.labels,
          mode: options.mode,
          privacy,
          read,
          detector: options.detector,
          odometry,
          ocr: options.ocr,
          environment: process.env,
          models,
        },
        hooks,
      ),
    );
    return { summary: done, models };
  });
  const usage = used.usage();
  terminal.result(usage.length === 0 ? summary : { ...summary, models: usage }, () => {
    const skipped = Object.entries(summary.skipped).map(([reason, n]) => `${n} ${reason}`);
    return [
      `${countOf(summary.written, "frame")} of ${summary.frames} taken in, ${summary.framesPerS.toFixed(0)} a second` +
        (skipped.length > 0 ? `; not or not whole: ${skipped.join(", ")}` : "") +
        (summary.late > 0 ? `; ${summary.late} late, by up to ${summary.latestByS.toFixed(1)} s` : ""),
      `${countOf(summary.detections, "detection")} (${summary.withoutDepth} without depth), ${countOf(summary.tracks, "track")}, ${countOf(summary.states, "state")}, ${countOf(summary.views, "view")}, ${countOf(summary.captions, "caption")}, ${countOf(summary.places, "place")}, ${countOf(summary.regions, "region")}, ${countOf(summary.events, "event")}` +
        (summary.corrections > 0 ? `; the map was corrected ${summary.corrections} times` : "") +
        (summary.redacted > 0 ? `; ${countOf(summary.redacted, "detection")} redacted` : ""),
      ...usageLines(used),
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
