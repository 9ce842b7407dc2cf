import { Argument, Option } from "commander";
import { collect, parseFence, parseList, parseMoment, parsePort, parsePositive } from "./arguments.ts";
import type { GoalOptions } from "./commands/goal.ts";
import type { McpCommandOptions } from "./commands/mcp.ts";
import type { ServeCommandOptions } from "./commands/serve.ts";
import type { TokenOptions } from "./commands/token.ts";
import { type AddCommand, onMemory } from "./option-groups.ts";

/** The commands by which programs reach a memory. */
export function addServing(command: AddCommand): void {
  onMemory(
    command<ServeCommandOptions>(
      "serve",
      "the memory over HTTP, until it is told to end",
      () => import("./commands/serve.ts"),
    ),
  )
    .option("--host <address>", "where to listen; beyond this machine only with tokens", "127.0.0.1")
    .option("--port <n>", "0 takes any that is free", parsePort, 7077)
    .option(
      "--ingest <source>",
      "also take this robot or recording in, with options after it: foxglove://HOST:8765?agent=rob1&rate=2; may be repeated",
      collect,
    )
    .option("--detector <choice>", "find things in frames that come without detections; as for ingest")
    .option("--classes <list>", "words to look for; an open detector needs them", parseList)
    .option("--allow-host <name>", "a name by which it may be called; may be repeated", collect)
    .option("--allow-origin <origin>", "a page that may call it; may be repeated", collect)
    .option("--foxglove [port]", "also live to Foxglove and Lichtblick (8766 unless said)", parsePort)
    .option("--rosbridge <url>", "also tell a robot what happens, as /loci/events over rosbridge")
    .option("--explore", "let agents send that robot to look: MCP's explore and navigate")
    .option("--fence <corners>", 'the floor it must not leave: "0,0 5,0 5,4 0,4"', parseFence)
    .option("--max-speed <m/s>", "not faster than this", parsePositive)
    .option("--max-distance <m>", "not further than this in all", parsePositive)
    .option("--allow-webhook <host>", "a private host that webhooks may go to; may be repeated", collect)
    .addOption(logLevel("info"));

  onMemory(
    command<GoalOptions>(
      "goal",
      "where a robot has to stand for a thing or a place",
      () => import("./commands/goal.ts"),
    ),
  )
    .argument("<to>", "a thing or a place, by its id or in words")
    .option("--scene <id>", "which place, where the memory holds several")
    .option("--frame <id>", "the robot's frame, in which the goal is told: map (default: its map's)")
    .option("--agent <id>", "the robot that is meant (default: the nearest)")
    .option(
      "--stale-after <hours>",
      "say so of a target that was not looked at for longer (default 24)",
      parsePositive,
    )
    .option("--robot <url>", "tell it to a robot: ws://HOST:9090, a rosbridge")
    .option("--drive", "by Nav2's NavigateToPose, and wait until it is there");

  onMemory(
    command<McpCommandOptions>(
      "mcp",
      "the memory for agents: MCP on stdin and stdout",
      () => import("./commands/mcp.ts"),
    ),
  )
    .option("--read-only", "offer the tools that read, and no others")
    .option("--server <url>", "through a server elsewhere, with the token in LOCI_TOKEN, instead of --memory")
    .addOption(logLevel("warn"));

  onMemory(
    command<TokenOptions>(
      "token",
      "who may reach the memory through its server",
      () => import("./commands/token.ts"),
    ),
  )
    .addArgument(new Argument("<action>", "what to do").choices(["add", "list", "remove", "disown"]))
    .argument(
      "[name]",
      "what the token is called, in logs and in the audit; for disown: the memory that a wrong one spoke for",
    )
    .option("--scopes <list>", "what it may do: read, write, admin", parseList, ["read"])
    .option("--labels <list>", "access labels it holds, * for all", parseList, [])
    .option("--scene <id>", "what it writes is of this place, and labelled so")
    .option("--agent <id>", "what it writes is by this agent, and labelled so")
    .option(
      "--memory-id <list>",
      "the memories it speaks for in a sync; default the first that comes",
      parseList,
    )
    .option("--since <time>", "disown what came in its name since then; default all", parseMoment)
    .option("--relay", "in a sync it may pass on what other memories wrote");
}

function logLevel(usual: string): Option {
  return new Option("--log <level>", "what is logged, on stderr")
    .choices(["silent", "error", "warn", "info", "debug"])
    .default(usual);
}
