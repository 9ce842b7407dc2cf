import { Argument, type Command, Option } from "commander";
import { parseCount, parseList, parsePort, parsePositive } from "./arguments.ts";
import type { BenchOptions } from "./commands/bench.ts";
import type { EvalOptions } from "./commands/eval.ts";
import type { ReplayCommandOptions } from "./commands/replay.ts";
import type { SimulateOptions } from "./commands/simulate.ts";
import { type AddCommand, DATASETS, SUITES } from "./option-groups.ts";

/** The commands by which it is measured: worlds to measure in, scores, the engine beside its peers. */
export function addMeasuring(
  command: AddCommand,
  withModels: (made: Command, what: string, roles: string) => Command,
): void {
  command<SimulateOptions>(
    "simulate",
    "a simulated recording, with its truth apart",
    () => import("./commands/simulate.ts"),
  )
    .argument(
      "<family>",
      "house, warehouse, campus, or weeks: days of a household as a memory, without pictures",
    )
    .option("--seed <seed>", "same seed, same recording", "1")
    .option("--days <n>", "weeks: how many days", parseCount, 7)
    .option("--agents <n>", "how many robots", Number, 1)
    .option("--minutes <m>", "how long", Number, 2)
    .option("--fps <f>", "frames a second", Number, 1)
    .option("--size <WxH>", "pixels", "160x120")
    .option("--noise <x>", "0 to 1", Number, 0)
    .option("--rate <n>", "things that happen in an hour", Number)
    .option("--rooms <n>", "rooms, aisles or blocks, 4 to 14 (default: by the seed)", parseCount)
    .option("--floors <n>", "1 or 2 (default: by the seed)", parseCount)
    .option("--people <n>", "how many are at home (default: one)", Number)
    .option("--questions <suite>", `also write questions.jsonl: ${SUITES}`)
    .option("--count <n>", "how many questions", parseCount)
    .addOption(new Option("--wording <set>", "in which words").choices(["dev", "test"]))
    .option("--out <dir>", "a folder that is not there yet")
    .addOption(
      new Option("--format <format>", "how it is written")
        .choices(["folder", "mcap", "db3"])
        .default("folder"),
    )
    .option(
      "--plain",
      "as one robot with a RealSense records it, for --format mcap: JPEG, aligned depth, TF, a lens; no masks, no words",
    );

  command<ReplayCommandOptions>(
    "replay",
    "an MCAP recording, served as foxglove_bridge serves a robot; ends with it",
    () => import("./commands/replay.ts"),
  )
    .argument("<file>", "an .mcap, or a folder with the files of one recording")
    .option("--host <address>", "where to listen", "127.0.0.1")
    .option("--port <n>", "0 takes any that is free", parsePort, 8765)
    .option("--speed <x>", "seconds of the recording in a second", parsePositive, 1)
    .option("--loop", "from the beginning again after the end, with the same stamps")
    .option("--wait", "begin with the first subscription, not at once");

  command<BenchOptions>(
    "bench",
    "the engine against its peers, side by side",
    () => import("./commands/bench.ts"),
  )
    .addArgument(new Argument("<what>", "what to measure").choices(["memory"]))
    .option("--n <rows>", "how many records", parseCount, 100_000)
    .option("--dim <d>", "length of the vectors", parseCount, 384)
    .option("--engines <list>", "only these", parseList)
    .option("--queries <n>", "questions of each kind", parseCount)
    .option("--budget <s>", "seconds for each engine and kind", parsePositive)
    .option("--writers", "also while another process writes")
    .option("--growth", "also how selective searches grow");

  withModels(
    command<EvalOptions>("eval", "scores, side by side, with intervals", () => import("./commands/eval.ts")),
    "the language model that every system but the rules answers with",
    "reasoner, confidence, judge",
  )
    .argument(
      "<suite>",
      `an experiment (eval experiments lists them), compare, make-questions, active, encoder, parser, tracking, habits, retrieval, forest, people, consistency, a suite (${SUITES}, weeks) or a dataset (${DATASETS})`,
    )
    .argument("[first]", "compare: a run that an experiment kept; make-questions, consistency: a memory")
    .argument("[second]", "compare: the one to be compared with it")
    .option("--seeds <list>", "simulated houses: 20, 3,7 or 101-105", "5")
    .option("--report <file>", "an experiment: also as .html or .md")
    .option("--days <n>", "weeks: days that are remembered", parseCount)
    .option("--minutes <m>", "how long each is toured", parsePositive)
    .option("--fps <f>", "frames a second", parsePositive)
    .option("--noise <x>", "0 to 1", Number)
    .option("--rate <n>", "things that happen in an hour", Number)
    .option("--rooms <n>", "tracking: houses of so many rooms on one floor", parseCount)
    .option("--family <name>", "tracking: house, warehouse or campus", "house")
    .option("--agents <n>", "robots", parseCount)
    .option("--people <n>", "consistency: how many are at home", parseCount)
    .option("--count <n>", "questions of each house", parseCount)
    .addOption(new Option("--wording <set>", "which paraphrases are asked").choices(["dev", "test"]))
    .option(
      "--system <list>",
      "who is asked: rules, r4, star, memory-eqa, embodied-rag, r-eqa, blind, uniform, whole-history, or presets of retrieval by name",
      parseList,
    )
    .addOption(new Option("--strategy <list>", "an older name of --system").argParser(parseList).hideHelp())
    .addOption(
      new Option("--mode <mode>", "of systems: our decisions, or the papers literally").choices([
        "ours",
        "paper",
      ]),
    )
    .option("--judge <name>", "a language model that marks answers in words; named as for --model")
    .option("--experiments <n>", "tracking: seeds that also go through the experiments", parseCount)
    .option("--out <file>", "the file of rows (a folder for tracking): a run that was stopped goes on")
    .option("--cache, --keep <dir>", "keep recordings and memories here for the next run")
    .option("--parallel <n>", "people: questions asked at once", parseCount)
    .option("--houses <list>", "people: only these houses", parseList)
    .option("--only <list>", "people: only questions of these kinds", parseList)
    .option("--questions-only", "people: list what would be asked")
    .option("--check <file>", "people: how each question of a file will be marked, and what is wrong with it")
    .option("--prepare", "people: make recordings, memories and truth sheets in --keep, ask nothing")
    .option("--data <dir>", "the folder of a dataset, or of the encoder's probes")
    .option("--all", "a dataset: also ask what it leaves out of the score")
    .option("--policy <list>", "active: only these policies", parseList)
    .option("--unanswerable", "active: only questions that have no answer")
    .option("--ablations", "active: also ours without memory in its modules, and with an empty memory")
    .option("--navqa <dir>", "encoder: folder of NaVQA drives")
    .option("--embedder <list>", "encoder: further embedders", parseList);
}
