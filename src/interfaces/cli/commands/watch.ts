import { openWatches } from "../../../compose.ts";
import { LociError, type WatchEvent } from "../../../index.ts";
import { type MemoryOptions, withMemory } from "../open.ts";
import { type Terminal, timeText } from "../terminal.ts";

export interface WatchCommandOptions extends MemoryOptions {
  readonly expression?: string;
  readonly on?: "enter" | "exit" | "change";
  readonly minConfidence: number;
  readonly hysteresis: number;
  readonly cooldown: number;
  readonly scene?: string;
  readonly labels?: string[];
  readonly count?: number;
}

/**
 * Prints a line each time the condition becomes true, until it is stopped. Reads only: a server may hold the memory.
 */
export async function run(
  options: WatchCommandOptions,
  terminal: Terminal,
  question?: string,
): Promise<void> {
  const { expression, on, minConfidence, hysteresis, cooldown: cooldownS, scene, labels, count } = options;
  if ((question === undefined) === (expression === undefined))
    throw new LociError("invalid-input", "watch takes a question in words, or --expression");
  await withMemory(options, { create: false }, async (memory) => {
    const owner = { id: "cli", labels: labels ?? ("*" as const) };
    const watches = await openWatches(memory, { keep: false });
    try {
      const watch = await watches.watch(
        {
          ...(question === undefined ? { expression: expression! } : { question }),
          minConfidence,
          hysteresis,
          cooldownS,
          ...(on && { on }),
          ...(scene !== undefined && { scene }),
        },
        owner,
      );
      const now = watch.holds.map(({ name }) => name).join(", ");
      terminal.note(`watching ${watch.expression} on ${watch.on}; now: ${now || "nothing"}`);
      let told = 0;
      for await (const event of watches.events(watch.id, owner, undefined, terminal.signal)) {
        terminal.line(event, () => lineOf(event));
        if (++told === count) return;
      }
    } finally {
      await watches.close();
    }
  });
}

function lineOf({ atUs, entered, left, text }: WatchEvent): string {
  const names = (sign: string, all: WatchEvent["entered"]) => all.map(({ name }) => `${sign}${name}`);
  return `${timeText(atUs)}  ${[...names("+", entered), ...names("-", left)].join(" ")}  ${text}`;
}
