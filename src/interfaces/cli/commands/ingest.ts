import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import {
  checkPlacing,
  detectorFor,
  type FoundRecording,
  findRecording,
  ingestOpened,
  isLiveFormat,
  isLiveSource,
  odometryFor,
  openEyes,
  outcomeOf,
  parseSource,
  type SourceRequest,
  textReaderFor,
  withTopic,
} from "../../../compose.ts";
import type { IngestProgress, ReadOptions } from "../../../index.ts";
import { LociError } from "../../../schema/core.ts";
import { LeftOut, placingLines, planLines, summaryLines } from "../ingest-text.ts";
import { ingestThrough, serverFor } from "../ingest-through.ts";
import { type ModelOptions, usageLines, withModels } from "../models.ts";
import { type MemoryOptions, withMemory } from "../open.ts";
import type { Terminal } from "../terminal.ts";

export interface IngestCommandOptions extends MemoryOptions, ModelOptions {
  readonly scene: string;
  readonly labels?: string[];
  readonly mode: "loci" | "paper";
  readonly privacy?: string;
  readonly redact?: string[];
  readonly dryRun?: boolean;
  readonly depthUnit?: number;
  readonly poseUnit?: number;
  readonly poseConvention?: ReadOptions["poseConvention"];
  readonly cameraAxes?: ReadOptions["cameraAxes"];
  readonly worldUp?: ReadOptions["worldUp"];
  readonly worldFrame?: string;
  readonly intrinsics?: ReadOptions["intrinsics"];
  readonly topic?: string[];
  readonly interval?: number;
  readonly start?: number;
  readonly agent?: string;
  readonly map?: string;
  readonly detector?: string;
  readonly classes?: string[];
  readonly segmenter: string;
  readonly odometry: string;
  readonly ocr: string;
  readonly syncTolerance?: number;
  readonly rate?: number;
  readonly frames?: number;
  readonly viewPx?: number;
  readonly whenBehind?: SourceRequest["whenBehind"];
  readonly profile?: SourceRequest["profile"];
  /** A server that takes it in; by default the one that holds the memory, if there is one. */
  readonly server?: string;
}

/** A recording into the memory, with progress; interrupted, it is simply run again. */
export async function run(options: IngestCommandOptions, terminal: Terminal, source: string): Promise<void> {
  const privacy = await policyOf(options);
  const read = readOptionsOf(options);
  const server = options.dryRun ? undefined : await serverFor(options);
  if (server !== undefined) {
    try {
      return await ingestThrough(server, requestOf(source, options, { privacy, read }), terminal);
    } finally {
      await server.close();
    }
  }
  for (const name of ["whenBehind", "profile"] as const)
    if (options[name] !== undefined)
      throw new LociError(
        "invalid-input",
        "--when-behind and --profile are for a server that takes the source in: serve the memory, or give --server URL",
      );
  const leftOut = new LeftOut();
  const found = await findRecording(source, { ...read, onSkip: leftOut.note });
  try {
    await takeIn(found, { privacy, read, leftOut }, options, terminal, source);
  } finally {
    await found.close();
  }
}

/** The same for a server: what it cannot do is refused, never left out in silence. */
function requestOf(
  given: string,
  options: IngestCommandOptions,
  { privacy, read }: Pick<Asked, "privacy" | "read">,
): SourceRequest {
  const { scene, labels, map, detector, classes, segmenter, odometry, mode, viewPx, whenBehind, profile } =
    options;
  const isForeign =
    options.model !== undefined || options.roles !== undefined || options.config !== undefined;
  if (isForeign || options.ocr !== "none")
    throw new LociError(
      "not-supported",
      "a server takes sources in without language models and without reading text (--model, --roles, --config, --ocr): stop it and ingest then, or leave these out",
    );
  const asked = parseSource(given);
  const { onSkip: _, ...reading } = { ...read, ...asked.read };
  const policy = privacy as SourceRequest["privacy"];
  const hasPolicy = (policy?.redact ?? []).length + (policy?.zones ?? []).length > 0;
  return {
    scene,
    ...(labels && { labels }),
    ...(map !== undefined && { map }),
    ...(detector !== undefined && { detector }),
    ...(classes && { classes }),
    ...(segmenter !== "none" && { segmenter }),
    ...(odometry !== "auto" && { odometry }),
    ...(mode !== "loci" && { mode }),
    ...(viewPx !== undefined && { viewPx }),
    ...(whenBehind && { whenBehind }),
    ...(profile && { profile }),
    ...(hasPolicy && { privacy: policy }),
    ...asked,
    ...(Object.keys(reading).length > 0 && { read: reading }),
    // The server has a folder of its own.
    source: isLiveSource(asked.source) ? asked.source : resolve(asked.source),
  };
}

interface Asked {
  readonly privacy: Awaited<ReturnType<typeof policyOf>>;
  readonly read: ReadOptions;
  readonly leftOut: LeftOut;
}

async function takeIn(
  found: FoundRecording,
  { privacy, read, leftOut }: Asked,
  options: IngestCommandOptions,
  terminal: Terminal,
  source: string,
): Promise<void> {
  const { plan } = found;
  const odometry = odometryFor(plan, options.odometry);
  const ocr = await textReaderFor(options.ocr, process.env);
  const detector = detectorFor(plan, options.detector);
  const outcome = outcomeOf(plan, { detector, odometry });
  const lines = () => [
    ...planLines(plan),
    ...placingLines(plan, odometry, { ...options, ocr, detector }),
    ...(outcome === undefined ? [] : [`what comes of it: ${outcome}`]),
  ];
  if (options.dryRun)
    return terminal.result({ ...plan, ...(outcome && { outcome }) }, () => lines().join("\n"));
  if (!isLiveFormat(plan.format) && plan.frames + plan.captions + plan.graphs === 0)
    throw new LociError(
      "invalid-input",
      `nothing to take in at ${source}: ${plan.missing[0] ?? "it is empty."}`,
    );
  if (!terminal.json) for (const line of lines()) terminal.note(line);
  const {
    summary,
    remarks,
    models: used,
  } = await withModels(options, "ingest", terminal, async (models) => {
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
    // Missing input is reported before a memory is made.
    await checkPlacing(odometry, terminal.signal);
    const { classes, segmenter } = options;
    const detector = models.get("detector") ? options.detector : detectorFor(plan, options.detector);
    const eyes = await openEyes({ detector, classes, segmenter, ocr, environment: process.env, models });
    // Without usable input no memory is created, and an existing one is not changed.
    const recording = await found.usable(terminal.signal).catch(async (error) => {
      await eyes?.close();
      throw error;
    });
    const request = {
      sceneId: options.scene,
      labels: options.labels,
      map: options.map,
      mode: options.mode,
      viewPx: options.viewPx,
      privacy,
      read,
      odometry,
      eyes,
      environment: process.env,
      models,
    };
    const done = await withMemory(options, { create: true }, (memory) =>
      ingestOpened(memory, source, recording, request, hooks),
    ).finally(() => eyes?.close());
    return { summary: done, remarks: eyes?.remarks ?? [], models };
  });
  const usage = used.usage();
  const unreadable = leftOut.count === 0 ? {} : { unreadable: leftOut.count };
  const remarked = remarks.length === 0 ? {} : { remarks };
  terminal.result(
    { ...summary, ...unreadable, ...remarked, ...(usage.length > 0 && { models: usage }) },
    () => [...summaryLines(summary), ...remarks, ...leftOut.lines(), ...usageLines(used)].join("\n"),
  );
}

/** What the flags tell the reader about the files. */
function readOptionsOf(options: IngestCommandOptions): ReadOptions {
  const { poseConvention, cameraAxes, worldUp, worldFrame, intrinsics, topic, interval } = options;
  return {
    ...(options.depthUnit !== undefined && { depthUnitM: options.depthUnit }),
    ...(options.poseUnit !== undefined && { poseUnitM: options.poseUnit }),
    ...(poseConvention && { poseConvention }),
    ...(cameraAxes && { cameraAxes }),
    ...(worldUp && { worldUp }),
    ...(worldFrame !== undefined && { worldFrame }),
    ...(intrinsics && { intrinsics }),
    ...(topic && { topics: topic.reduce(withTopic, {}) }),
    ...(interval !== undefined && { frameIntervalUs: Math.round(interval * 1e6) }),
    ...(options.start !== undefined && { startUs: options.start }),
    ...(options.agent !== undefined && { agentId: options.agent }),
    ...(options.syncTolerance !== undefined && { syncToleranceUs: Math.round(options.syncTolerance * 1e6) }),
    ...(options.rate !== undefined && { rateHz: options.rate }),
    ...(options.frames !== undefined && { maxFrames: options.frames }),
  };
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
