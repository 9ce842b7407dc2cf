import { correct, corrections, type MemoryFace, name, undo } from "../../../compose.ts";
import type { Correction, NameRequest, Vec3 } from "../../../index.ts";
import { type MemoryOptions, orThroughServer, type ReadAs, readerOptions, withMemory } from "../open.ts";
import { type Terminal, tableText, timeText } from "../terminal.ts";

interface Options extends MemoryOptions, ReadAs {
  readonly is?: string;
  readonly as?: string;
  readonly at?: Vec3;
  readonly radius?: number;
  readonly author?: string;
  readonly scene?: string;
  readonly limit?: number;
}

type Memory = Parameters<typeof correct>[0]["memory"];
type Run = (options: Options, terminal: Terminal, ...args: string[]) => Promise<void>;

/** What people say of things, rooms and places: a command each. */
export const PEOPLE = {
  correct: said(
    (saying, { is }, target = "") => correct(saying, { target, is: is! }),
    (face, author, { is }, target = "") => face.correct({ target, is: is!, author }),
  ),
  name: said(
    (saying, options, target) => name(saying, nameOf(options, target)),
    (face, author, options, target) => face.name({ ...nameOf(options, target), author }),
  ),
  undo: said(
    (saying, _, id) => undo(saying, id),
    (face, _, __, id) => face.undo(id),
  ),
  corrections: {
    run: async (options: Options, terminal: Terminal) => {
      const view = readerOptions(options);
      const all = await withMemory(options, { create: false }, (memory) => {
        const seen = Object.keys(view).length > 0 ? memory.as(view) : memory;
        return corrections({ memory, seen }, options.limit === undefined ? {} : { limit: options.limit });
      });
      terminal.result(all, () => tableText(all.map(rowOf)).join("\n") || "nothing was corrected or named");
    },
  },
} satisfies Record<string, { readonly run: Run }>;

function nameOf({ at, radius, labels, scene, as }: Options, target: string | undefined): NameRequest {
  return {
    name: as!,
    ...(at ? { at, ...(radius !== undefined && { radiusM: radius }) } : { target: target ?? "" }),
    ...(at && labels && { labels }),
    ...(at && scene !== undefined && { sceneId: scene }),
  };
}

/** Said to the memory here, or through whoever holds it. */
function said(
  here: (
    saying: { memory: Memory; author: string },
    options: Options,
    ...args: string[]
  ) => Promise<Correction>,
  there: (face: MemoryFace, author: string, options: Options, ...args: string[]) => Promise<Correction>,
): { readonly run: Run } {
  return {
    run: async (options, terminal, ...args) => {
      const author = options.author ?? "local";
      const done = await orThroughServer(
        options,
        () => withMemory(options, { create: false }, (memory) => here({ memory, author }, options, ...args)),
        (face) => there(face, author, options, ...args),
      );
      terminal.result(done, () => sentenceOf(done));
    },
  };
}

function sentenceOf({ id, what, says, was, undone }: Correction): string {
  const before = was === undefined ? "" : ` (was ${was})`;
  if (undone) return `undone: nobody says ${says} any more`;
  return `${what === "kind" ? "it is now:" : "it is called"} ${says}${before}; take it back with: loci undo ${id}`;
}

function rowOf({ id, what, says, was = "", author, saidAtUs, undone }: Correction) {
  return {
    said: timeText(saidAtUs),
    by: author,
    what,
    was,
    says,
    undone: undone ? `by ${undone.by}` : "",
    id,
  };
}
