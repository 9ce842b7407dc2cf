import { localFace, type MemoryFace, type Operation, type OperationName } from "../../../operations/index.ts";
import { parseOrThrow } from "../../../schema/index.ts";
import { type MemoryOptions, orThroughServer, withMemory } from "../open.ts";
import type { Terminal } from "../terminal.ts";

interface Arguments {
  /** The fields that are given without an option, in order. */
  readonly placed: readonly string[];
  /** The name of a field among the options. */
  called(field: string): string;
}

type Options = MemoryOptions & Readonly<Record<string, unknown>>;

/** An operation as a command: by the memory here, or through the process that holds it. */
export function runOperation(name: OperationName, made: Operation, { placed, called }: Arguments) {
  return {
    run: async (options: { json?: boolean }, terminal: Terminal, ...args: unknown[]): Promise<void> => {
      const given = options as Options;
      const shape = (made.input as unknown as { readonly shape: object }).shape;
      const values = Object.fromEntries(
        Object.keys(shape)
          .map((field) => [
            field,
            placed.includes(field) ? args[placed.indexOf(field)] : given[called(field)],
          ])
          .filter(([, value]) => value !== undefined),
      );
      const input = parseOrThrow(made.input, values, name) as Record<string, unknown>;
      const work = (face: MemoryFace): Promise<unknown> => {
        const method = face[name] as (...all: unknown[]) => Promise<unknown>;
        const call = { signal: terminal.signal };
        const { lead } = made;
        const { [lead ?? ""]: led, ...rest } = input;
        return lead === undefined ? method(input, call) : method(led, rest, call);
      };
      const here = () =>
        withMemory(given, { create: false }, async (memory) => {
          // A user of this machine owns the memory; whoever only reads may ask what others see.
          const labels = made.scope === "read" ? (given["labels"] as string[] | undefined) : undefined;
          const face = localFace(memory, { id: "local", labels: labels ?? "*" });
          try {
            return await work(face);
          } finally {
            await face.close();
          }
        });
      const answer = await (made.scope === "read" ? here() : orThroughServer(given, here, work));
      terminal.result(answer as object, () => textOf(made, answer, input));
    },
  };
}

function textOf({ tell }: Operation, answer: unknown, input: unknown): string {
  if (tell === undefined) return JSON.stringify(answer, undefined, 2);
  const { summary, rows = [] } = tell(answer as never, input as never);
  return [summary, ...rows.map(({ line }) => line)].join("\n");
}
