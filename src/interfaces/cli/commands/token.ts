import { SCOPES, type Scope } from "../../../operations/index.ts";
import { LociError } from "../../../schema/core.ts";
import { Access } from "../../http/access.ts";
import { type MemoryOptions, withMemory } from "../open.ts";
import { countOf, type Terminal, tableText, timeText } from "../terminal.ts";

export interface TokenOptions extends MemoryOptions {
  readonly scopes: string[];
  readonly labels: string[];
  readonly scene?: string;
  readonly agent?: string;
  readonly memoryId?: string[];
  readonly relay?: boolean;
  readonly since?: number;
}

/** Manages access to a memory through its server. A token is shown once, when it is made. */
export async function run(
  options: TokenOptions,
  terminal: Terminal,
  action: string,
  name?: string,
): Promise<void> {
  // A missing memory is created, so that its first server has a token from the beginning.
  const folder = await withMemory(options, { create: action === "add" }, async (memory) => memory.folder);
  const access = new Access(folder);
  if (action === "list") return listTokens(access, terminal);
  if (name === undefined) throw new LociError("invalid-input", `token ${action} needs a name`);
  if (action === "remove") {
    const { memories = [], spokeFromUs } = access.remove(name);
    const isLast = access.list().length === 0;
    const closed = isLast ? ` No token is left: ${NOBODY}` : "";
    if (spokeFromUs !== undefined)
      terminal.note(
        `it spoke for the memory that came with it first; if that was another's, take that back: token disown ${memories[0]} --since ${spokeFromUs}`,
      );
    terminal.result({ removed: name }, () => `${name} is no longer let in.${closed}`);
    return;
  }
  if (action === "disown") return disown(options, terminal, name);
  const labels = options.labels.includes("*") ? "*" : options.labels;
  const { scene, agent, memoryId: memories, relay } = options;
  const token = access.add(
    {
      name,
      scopes: scopesOf(options.scopes),
      labels,
      ...(scene && { scene }),
      ...(agent && { agent }),
      ...(memories && { memories }),
      ...(relay && { relay }),
    },
    Date.now() * 1000,
  );
  terminal.result({ name, token }, () => `${token}\nKeep it: it is kept nowhere else. (${name})`);
}

/** Retracts what an impostor wrote in a memory's name, through the server where one serves the memory. */
async function disown(
  { since, ...options }: TokenOptions,
  terminal: Terminal,
  memory: string,
): Promise<void> {
  const { openPlace } = await import("../sync-place.ts");
  const peer = await openPlace(options.memory, false, options, terminal);
  try {
    const { writes } = await peer.disown(memory, { fromUs: since });
    if (writes === 0)
      throw new LociError(
        "unknown-id",
        `nothing came in the name of memory ${memory}${since === undefined ? "" : " since then"}; expected the whole id, as loci stats tells it where that memory is`,
      );
    terminal.result({ disowned: memory, writes }, () =>
      [
        `disowned ${countOf(writes, "write")} in the name of ${memory}.`,
        "They stay until somebody says otherwise; its next sync brings its own.",
      ].join(" "),
    );
  } finally {
    await peer.close();
  }
}

function scopesOf(given: readonly string[]): Scope[] {
  return given.map((scope) => {
    const known = SCOPES.find((name) => name === scope);
    if (known === undefined)
      throw new LociError("invalid-input", `expected scopes of ${SCOPES.join(", ")}, got "${scope}"`);
    return known;
  });
}

/** Removing the last token of a memory does not open it to every user of this machine. */
const NOBODY = "nobody is let in. Delete access.json to serve this machine without tokens.";

function listTokens(access: Access, terminal: Terminal): void {
  const rows = access
    .list()
    .map(({ name, scopes, labels, scene, agent, memories = [], relay, createdUs }) => ({
      name,
      scopes: scopes.join(" "),
      labels: labels === "*" ? "*" : labels.join(" "),
      scene: scene ?? "",
      agent: agent ?? "",
      speaks: [...memories.map((memory) => memory.slice(0, 12)), ...(relay ? ["relay"] : [])].join(" "),
      made: timeText(createdUs),
    }));
  terminal.result(rows, () =>
    rows.length === 0
      ? access.isOpen
        ? "There are no tokens: the memory is served on this machine only."
        : `There are no tokens left: ${NOBODY}`
      : tableText(rows).join("\n"),
  );
}
