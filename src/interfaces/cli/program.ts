import { Command, Option } from "commander";
import { PROFILE_NAMES, WHEN_BEHIND } from "../../schema/constants.ts";
import { version } from "../version.ts";
import {
  collect,
  parseCount,
  parseIntrinsics,
  parseList,
  parseMoment,
  parsePictureSide,
  parsePixels,
  parsePoint,
  parsePort,
  parsePose,
  parsePositive,
  parseShare,
  parseSpan,
} from "./arguments.ts";
import type { AskCommandOptions } from "./commands/ask.ts";
import type { IngestCommandOptions } from "./commands/ingest.ts";
import type { PictureCommandOptions } from "./commands/picture.ts";
import type { RetainOptions } from "./commands/retain.ts";
import { addCopies } from "./copy-commands.ts";
import { addExploring } from "./exploring-commands.ts";
import { withExportOptions } from "./export-command.ts";
import { harmless } from "./harmless.ts";
import { addListings } from "./listing-commands.ts";
import { addMeasuring } from "./measuring-commands.ts";
import { addOperations } from "./operation-commands.ts";
import { asReader, onMemory } from "./option-groups.ts";
import { addPeople } from "./people-commands.ts";
import { addServing } from "./serving-commands.ts";
import { type Terminal, terminalOf } from "./terminal.ts";

type Run<O> = (options: O, terminal: Terminal, ...args: string[]) => Promise<void>;

/** The command line: thin; each command's code is loaded on demand. */
export function makeProgram(signal: AbortSignal): Command {
  const program = new Command("loci")
    .description("A 4D memory for embodied agents: what was seen, where and when.")
    .version(version(), "--version")
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => write(`${harmless(text.replace(/^error: /, "loci: ").trimEnd())}\n`),
    });

  /** Wires one command: its module exports `run(options, terminal, ...args)`. */
  const command = <O extends { json?: boolean }>(
    usage: string,
    description: string,
    load: () => Promise<{ run: Run<O> }>,
  ) =>
    program
      .command(usage)
      .description(description)
      .option("--json", "one JSON document on stdout")
      .action(async (...all: unknown[]) => {
        const args = all.slice(0, -2).filter((arg) => typeof arg === "string");
        const options = all.at(-2) as O;
        const { run } = await load();
        await run(options, terminalOf(options.json === true, signal), ...args);
      });

  const withModels = (made: Command, what: string, roles: string) =>
    made
      .option("--model <name>", `${what}: openai:MODEL[@BASE_URL], anthropic:MODEL, google:MODEL, or off`)
      .option("--roles <list>", `only this work of the model: ${roles}`, parseList)
      .option("--config <file>", "models and their settings (default: LOCI_CONFIG, then loci.json here)");

  const asQuery = (made: Command) =>
    made
      .option("--text <words>", "what it is about: by meaning and by words")
      .option("--near <x,y,z>", "where, in metres", parsePoint)
      .option("--within <m>", "how far from there", parsePositive)
      .option("--during <from..to>", "when: overlapping this span", parseSpan)
      .option("--kind <list>", "only these kinds of record", parseList)
      .option("--category <list>", "only these categories", parseList)
      .option("--id <list>", "only these ids", parseList);

  command(
    "demo",
    "build a sample memory, ask it questions, and show it in the browser",
    () => import("./commands/demo.ts"),
  )
    .option("--once", "exit after the questions")
    .option("--port <n>", "where the page is served; default 7077, or any that is free", parsePort)
    .option("--memory <dir>", "keep the sample memory here instead of a temporary folder");

  withModels(
    asQuery(
      asReader(
        onMemory(
          command(
            "search",
            "search by meaning, place and time at once",
            () => import("./commands/search.ts"),
          ),
        ),
      ),
    ),
    "choose branches of the regions with a language model, for --strategy embodied-rag",
    "selector",
  )
    .option("--limit <n>", "how many", parseCount, 10)
    .option(
      "--strategy <name>",
      "by a paper's plan: auto, r4, star, embodied-rag, memory-eqa, r-eqa, remembr …",
    )
    .addOption(
      new Option("--mode <mode>", "of a strategy: our decisions, or the paper literally").choices([
        "ours",
        "paper",
      ]),
    )
    .option(
      "--approximate",
      "by meaning alone; past a million vectors by a graph (needs the package usearch)",
    )
    .option("--explain", "show the plan that was taken");

  withModels(
    asReader(
      onMemory(
        command<AskCommandOptions>(
          "ask",
          "answer a question, with the evidence",
          () => import("./commands/ask.ts"),
        ),
      ),
    ),
    "answer with a language model",
    "reasoner, confidence, selector",
  )
    .argument("[question]", "in plain words; without one a prompt opens, or each line of a pipe is one")
    .option("--now <time>", "when it is asked (default: the last moment the memory knows)", parseMoment)
    .option("--options <list>", "choose one of these, separated by commas", parseList)
    .option("--agent <id>", "who is asked: whose “I” and “you” it is")
    .option(
      "--from <x,y[,z],yaw>",
      "where the asked one stands and looks; yaw in radians, or 90deg",
      parsePose,
    )
    .option("--questions <file>", "one question a line; one answer a line")
    .option(
      "--expression <text>",
      "carry out an expression instead: in the notation of --explain, or a JSON file",
    )
    .option("--goal", "also where to stand to see it (always with --json)")
    .option("--scene <id>", "about which place")
    .option("--frame <id>", "in the map of this frame; places and goals are told in it")
    .option(
      "--system <name>",
      "by a paper's system: r4, star, memory-eqa, embodied-rag, r-eqa; blind, uniform or whole-history beside them (default: rules, or r4 with --model)",
    )
    .addOption(new Option("--strategy <name>", "an older name of --system").hideHelp())
    .addOption(
      new Option("--mode <mode>", "of a system: our decisions, or the paper literally").choices([
        "ours",
        "paper",
      ]),
    )
    .option(
      "--risk <share>",
      "answer only so that at most this share of answers is wrong, as 0.05",
      parseShare,
    )
    .option("--image <file>", "a picture the question is about, JPEG or PNG; may be repeated", collect)
    .option("--at <x,y>", "where in the picture “this” is: a pixel, or left,top,right,bottom", parsePixels)
    .option("--live <file>", "what is in view at this moment, JPEG or PNG: tried before the memory")
    .option("--clip <dir>", "a folder of pictures in order that the question is about")
    .option("--or-rules", "answer by rules if the model cannot be reached")
    .option("--explain", "show how the question was understood and what was tried");

  addListings((usage, description, load) => asReader(onMemory(command(usage, description, load))));

  asReader(onMemory(command("stats", "counts and sizes", () => import("./commands/stats.ts")))).option(
    "--scene <id>",
    "the place whose maps are told of",
  );

  onMemory(
    command(
      "verify",
      "check everything; repair what can be made again",
      () => import("./commands/verify.ts"),
    ),
  )
    .option("--repair", "make again what can be made again")
    .option("--deep", "print a digest of the whole content")
    .option("--against <dir>", "compare with another memory (implies --deep)");

  asQuery(
    onMemory(
      command(
        "forget",
        "remove something and all that was derived from it, for good",
        () => import("./commands/forget.ts"),
      ),
    ),
  )
    .requiredOption("--reason <text>", "why; kept on record")
    .option("--all", "everything that matches, not only exact ids (needed without --id)")
    .addOption(
      new Option("--pictures <what>", "pictures in which it is one of many")
        .choices(["blacken", "give-up"])
        .default("blacken"),
    )
    .option("--dry-run", "show what would be forgotten");

  onMemory(
    command(
      "reembed",
      "move the memory to another embedder; can be interrupted",
      () => import("./commands/reembed.ts"),
    ),
  ).requiredOption("--to <choice>", "the embedder to move to");

  withExportOptions(
    asReader(
      onMemory(
        command("export", "the memory as a file for other tools", () => import("./commands/export.ts")),
      ),
    ),
  );

  onMemory(
    command("import", "an exported file into a new memory", () => import("./commands/import.ts")),
  ).argument("<file>", "what export wrote");

  withModels(
    onMemory(
      command<IngestCommandOptions>(
        "ingest",
        "a recording into the memory; can be interrupted",
        () => import("./commands/ingest.ts"),
      ),
    ),
    "describe, caption, adjudicate and summarise with a language model",
    "describer, captioner, adjudicator, summariser",
  )
    .argument(
      "<source>",
      "a folder of frames, .mcap, .db3, .bag, captions, a scene graph, or a robot: foxglove://HOST:PORT, rosbridge://HOST:PORT",
    )
    .option(
      "--map <name>",
      "its poses are in a map of this name, apart until it is recognised or joined; world: in the known world",
    )
    .option("--dry-run", "only say what is there")
    .option("--depth-unit <m>", "metres in one unit of depth, where the files do not tell", parsePositive)
    .option("--start <time>", "when the first frame was, where the files have no times", parseMoment)
    .option("--interval <s>", "seconds between frames, where the files only number them", parsePositive)
    .option("--intrinsics <fx,fy,cx,cy>", "the camera, where the files do not tell", parseIntrinsics)
    .option("--pose-unit <m>", "metres in one unit of the poses, where frames do not tell", parsePositive)
    .addOption(
      new Option("--pose-convention <way>", "what poses take to what, where frames do not tell").choices([
        "camera-to-world",
        "world-to-camera",
      ]),
    )
    .addOption(
      new Option("--camera-axes <axes>", "how cameras are drawn, where frames do not tell").choices([
        "optical",
        "opengl",
        "body",
      ]),
    )
    .addOption(
      new Option("--world-up <axis>", "which axis points up, where the files do not tell").choices([
        "x",
        "y",
        "z",
        "-x",
        "-y",
        "-z",
      ]),
    )
    .option("--world-frame <name>", "the frame of a bag that is the world; default map, world or odom")
    .option(
      "--topic <use=name>",
      "which topic to take as colour, depth, cloud, cameraInfo or pose; may be repeated",
      collect,
    )
    .option(
      "--sync-tolerance <s>",
      "how far apart picture, depth and pose of one moment may be, 0 to 10 s (default: 0.05 for depth, 0.1 for poses)",
      Number,
    )
    .option(
      "--server <url>",
      "a server takes it in, by the token in LOCI_TOKEN; default: the one that holds the memory",
    )
    .addOption(
      new Option(
        "--when-behind <rule>",
        "by a server, if frames of a robot come too fast (default: newest)",
      ).choices(WHEN_BEHIND),
    )
    .addOption(
      new Option(
        "--profile <name>",
        "by a server: how much of the machine it may use (default: full)",
      ).choices(PROFILE_NAMES),
    )
    .option("--rate <hz>", "pictures a second from a live robot", parsePositive)
    .option("--frames <n>", "end after so many frames of a live robot", parseCount)
    .option("--agent <id>", "who recorded it, where the files do not tell")
    .option(
      "--detector <choice>",
      "find things in the pictures: eyes (our own, the default with colour and depth), none, coco[:MIN_SCORE], open:FOLDER_OR_NAME[:MIN_SCORE], yolo:FILE.onnx[:MIN_SCORE], or a language model that sees (openai:MODEL@URL)",
    )
    .option("--classes <list>", "words to look for; an open detector needs them", parseList)
    .option("--segmenter <choice>", "cut things out of their boxes: none or sam:FOLDER_OR_NAME", "none")
    .option("--ocr <choice>", "read what is written on things: none, paddle, tesseract or auto", "none")
    .option("--odometry <choice>", "poses for frames without: auto, icp, none or http://SERVICE", "auto")
    .option(
      "--view-px <n>",
      "longest side of the pictures that are kept, 64 to 4096 (default: 640; some 40 kB a picture of a camera; 320: 14 kB)",
      parsePictureSide,
    )
    .option("--scene <id>", "which place it is of", "default")
    .option("--labels <list>", "access labels that a reader must hold", parseList)
    .option("--redact <list>", "categories not to remember, such as person:blur", parseList)
    .option("--privacy <file>", "JSON with categories to redact and zones not to record")
    .addOption(
      new Option("--mode <mode>", "our decisions, or the papers literally")
        .choices(["loci", "paper"])
        .default("loci"),
    );

  onMemory(
    command<PictureCommandOptions>(
      "picture",
      "the memory from above, as SVG or PNG",
      () => import("./commands/picture.ts"),
    ),
  )
    .argument("<file>", "where to draw it: .svg or .png")
    .option("--at <time>", "as of which moment (default: the latest)", parseMoment)
    .option("--floor <n>", "only this storey, 0 the lowest", Number)
    .option("--width <px>", "how wide", parseCount)
    .option("--layers <list>", "only these layers", parseList)
    .option("--title <text>", "what to call it")
    .option("--truth <file>", "a simulated recording's truth.json, drawn beside it");

  onMemory(
    command<RetainOptions>("retain", "keep a memory within limits", () => import("./commands/retain.ts")),
  )
    .option("--max-bytes <n>", "for the whole memory", parseCount)
    .option("--max-age <days>", "of looks, detections, captions and views", parsePositive)
    .option("--now <time>", "from when age counts (default: the last moment the memory knows)", parseMoment);

  addMeasuring(command, withModels);
  addCopies(command);
  addPeople(command);
  addOperations(command);
  addServing(command);
  addExploring(command, withModels);
  return program;
}
