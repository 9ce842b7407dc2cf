import { localFace, type MemoryFace } from "../../../compose.ts";
import type { Correction, Vec3 } from "../../../index.ts";
import { type MemoryOptions, orThroughServer, withMemory } from "../open.ts";
import { type Terminal, tableText, timeText } from "../terminal.ts";

interface Options extends MemoryOptions {
  readonly is?: string;
  readonly as?: string;
  readonly at?: Vec3;
  readonly radius?: number;
  readonly author?: string;
  readonly labels?: string[];
  readonly scene?: string;
  readonly limit?: number;
}

type Run = (options: Options, terminal: Terminal, ...args: string[]) => Promise<void>;

/** Statements by people about things, rooms and places: a command each, over the same face as the server's. */
export const PEOPLE = {
  correct: said((face, { is, author }, target = "") => face.correct({ target, is: is!, author })),
  name: said((face, { at, radius, labels, scene, as, author }, target) =>
    face.name({
      name: as!,
      author,
      ...(at ? { at, radiusM: radius, labels, sceneId: scene } : { target }),
    }),
  ),
  undo: said((face, _, id) => face.undo(id)),
  corrections: {
    run: async (options: Options, terminal: Terminal) => {
      const all = await onFace(options, (face) => face.corrections({ limit: options.limit }));
      terminal.result(all, () => tableText(all.map(rowOf)).join("\n") || "nothing was corrected or named");
    },
  },
} satisfies Record<string, { readonly run: Run }>;

function said(work: (face: MemoryFace, options: Options, ...args: string[]) => Promise<Correction>): {
  readonly run: Run;
} {
  return {
    run: async (options, terminal, ...args) => {
      const done = await onFace(options, (face) => work(face, options, ...args));
      terminal.result(done, () => sentenceOf(done));
    },
  };
}

/**
 * A user of this machine owns the memory; --labels of a listing shows what a reader with those labels would see. Where
 * another process holds the memory, statements go through it.
 */
function onFace<T>(options: Options, work: (face: MemoryFace) => Promise<T>): Promise<T> {
  const here = () =>
    withMemory(options, { create: false }, async (memory) => {
      const isListing = options.as === undefined && options.labels !== undefined;
      const face = localFace(memory, { id: "local", labels: isListing ? options.labels! : "*" });
      try {
        return await work(face);
      } finally {
        await face.close();
      }
    });
  return orThroughServer(options, here, work);
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
