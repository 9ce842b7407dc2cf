import { listMemory, pictureThings } from "../../../compose.ts";
import { type MemoryOptions, type ReadAs, readerOptions, withMemory } from "../open.ts";
import { type Terminal, tableText } from "../terminal.ts";

interface Options extends MemoryOptions, ReadAs {
  readonly now?: number;
  readonly scene?: string;
  readonly frame?: string;
  readonly room?: string;
  readonly floor?: string;
  readonly kind?: string;
  readonly since?: number | string;
  readonly pictures?: string;
}

type Listing = Parameters<typeof listMemory>[1];
type Shown = Awaited<ReturnType<typeof listMemory>> & Partial<Awaited<ReturnType<typeof pictureThings>>>;
type Run = (options: Options, terminal: Terminal, ...args: string[]) => Promise<void>;

/** Plain listings over the operators that answer questions: a command each. */
export const LISTINGS: Readonly<Record<Listing["what"], { readonly run: Run }>> = {
  things: listed(({ room, floor, kind }) => ({ what: "things", room, floor, kind })),
  rooms: listed(() => ({ what: "rooms" })),
  people: listed(() => ({ what: "people" })),
  changes: listed(({ since }) => ({ what: "changes", since })),
  route: listed((_, a = "", b) =>
    b === undefined ? { what: "route", to: a } : { what: "route", from: a, to: b },
  ),
};

function listed(listingOf: (options: Options, ...args: string[]) => Listing): { readonly run: Run } {
  return {
    run: (options, terminal, ...args) => print(listingOf(options, ...args), options, terminal),
  };
}

/** Rows as a table, or as JSON with the expression that they are of. */
async function print(listing: Listing, options: Options, terminal: Terminal): Promise<void> {
  const found = await withMemory(options, { create: false }, async (memory): Promise<Shown> => {
    const view = readerOptions(options);
    const seen = Object.keys(view).length > 0 ? memory.as(view) : memory;
    const request = {
      ...(options.now !== undefined && { now: options.now }),
      ...(options.scene !== undefined && { sceneId: options.scene }),
      ...(options.frame !== undefined && { frame: options.frame }),
    };
    const listed = await listMemory(seen, listing, request, { signal: terminal.signal });
    if (options.pictures === undefined) return listed;
    return { ...listed, ...(await pictureThings(seen, listed, options.pictures, terminal.signal)) };
  });
  terminal.result(found, () => {
    const rows = found.rows.map(({ id: _, ...shown }) => shown);
    const isSaid = listing.what === "route" || rows.length === 0;
    const notes = (found.notes ?? []).map((note) => `note: ${note}`);
    const written =
      found.page === undefined
        ? []
        : [`${found.page}: ${found.pictures} pictures; no view was kept of ${found.unseen} things`];
    return [...(isSaid ? [found.text] : []), ...tableText(rows), ...notes, ...written].join("\n");
  });
}
