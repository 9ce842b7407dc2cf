import { localFace } from "../../../compose.ts";
import { LIMITS, LociError } from "../../../schema/core.ts";
import { type MemoryOptions, orThroughServer, withMemory } from "../open.ts";
import { type QueryOptions, queryOf, titleOf } from "../query.ts";
import { countOf, type Terminal } from "../terminal.ts";

interface Options extends MemoryOptions, QueryOptions {
  readonly reason: string;
  readonly all?: boolean;
  readonly dryRun?: boolean;
  readonly pictures: "blacken" | "give-up";
}

/** What people said of a thing, using a name that they gave it, is forgotten with the thing. */
function saidText(lines: number): string {
  return lines === 0 ? "" : `, with ${countOf(lines, "sentence")} that people said of it by name`;
}

export async function run(options: Options, terminal: Terminal): Promise<void> {
  if (!options.id && !options.all) {
    throw new LociError(
      "invalid-input",
      "forget takes --id LIST, or a query with --all to forget everything it matches; --dry-run shows it first",
    );
  }
  const narrowed = [options.text, options.near, options.during, options.kind, options.category, options.id];
  if (narrowed.every((part) => part === undefined)) {
    throw new LociError(
      "invalid-input",
      "forget needs a query; to forget everything delete the memory's folder",
    );
  }
  if (options.near && options.within === undefined)
    throw new LociError("invalid-input", "forget with --near needs --within metres");
  await withMemory(options, { create: false }, async (memory) => {
    // Forgetting matches words, not meaning: a vector resembles everything a little.
    const { text, ...rest } = options;
    let query = queryOf(memory, rest);
    if (text !== undefined) query = query.words(text);
    if (options.dryRun) {
      const hits = await query.find(10_000);
      const list = hits.map(({ record }) => ({ id: record.id, kind: record.kind, title: titleOf(record) }));
      const said = await localFace(memory).saidByName(list.map(({ id }) => id));
      terminal.result({ wouldForget: list, said }, () =>
        [
          ...list.map(({ id, kind, title }) => `${kind} ${id} · ${title}`),
          ...said.flatMap(({ id, lines }) => lines.map((line) => `said of it by name: ${line} (${id})`)),
          `${countOf(list.length, "record")} would be forgotten${saidText(said.reduce((sum, { lines }) => sum + lines.length, 0))}`,
        ].join("\n"),
      );
      return;
    }
    const pictures = options.pictures === "give-up" ? "give up" : "blacken";
    const report = await orThroughServer(
      options,
      () =>
        memory.forget(query, options.reason, {
          pictures,
          who: "command line",
          onWaiting: (readers) =>
            terminal.note(`waiting for ${readers.join(", ")}: still reading the memory as it was before`),
        }),
      async (face) => {
        const hits = await query.find(LIMITS.hitsPerSearch);
        const ids = hits.map(({ record }) => record.id);
        if (ids.length === 0) throw new LociError("unknown-id", "nothing here matches");
        return face.forget({ ids, reason: options.reason, pictures });
      },
    );
    if (options.id && report.forgotten.length === 0)
      throw new LociError("unknown-id", `nothing here is called ${options.id.join(", ")}`);
    if (!report.wiped)
      terminal.note(
        "the disk has no room to copy the memory, so traces may be left in it; run verify --repair once it has",
      );
    terminal.result(report, () =>
      [
        ...report.forgotten.map(
          ({ id, kind, versions }) => `forgot ${kind} ${id} (${countOf(versions, "version")})`,
        ),
        ...report.rewritten.map(({ id, kind, fields }) => `rewrote ${kind} ${id}: ${fields.join(", ")}`),
        `${countOf(report.forgotten.length, "record")}, ${countOf(report.sightings, "sighting")}, ${countOf(report.texts, "text")}, ${countOf(report.vectors, "vector")} and ${countOf(report.blobs, "blob")} are gone${saidText(report.said)}`,
      ].join("\n"),
    );
  });
}
