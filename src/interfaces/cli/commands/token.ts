import { LociError } from "../../../schema/core.ts";
import { Access, SCOPES, type Scope } from "../../http/access.ts";
import { type MemoryOptions, withMemory } from "../open.ts";
import { type Terminal, tableText, timeText } from "../terminal.ts";

export interface TokenOptions extends MemoryOptions {
  readonly scopes: string[];
  readonly labels: string[];
  readonly scene?: string;
  readonly agent?: string;
  readonly memoryId?: string[];
  readonly relay?: boolean;
}

/** Who may reach a memory through its server. A token is shown once, when it is made. */
export async function run(
  options: TokenOptions,
  terminal: Terminal,
  action: string,
  name?: string,
): Promise<void> {
  // A memory that is not there yet is made, so that its first server has a token from the beginning.
  const folder = await withMemory(options, { create: true }, async (memory) => memory.folder);
  const access = new Access(folder);
  if (action === "list") return listTokens(access, terminal);
  if (name === undefined) throw new LociError("invalid-input", `token ${action} needs a name`);
  if (action === "remove") {
    access.remove(name);
    const isLast = access.list().length === 0;
    const closed = isLast ? ` No token is left: ${NOBODY}` : "";
    terminal.result({ removed: name }, () => `${name} is no longer let in.${closed}`);
    return;
  }
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

function scopesOf(given: readonly string[]): Scope[] {
  return given.map((scope) => {
    const known = SCOPES.find((name) => name === scope);
    if (known === undefined)
      throw new LociError("invalid-input", `expected scopes of ${SCOPES.join(", ")}, got "${scope}"`);
    return known;
  });
}

/** A memory that had tokens is not opened to everybody on this machine by removing the last one. */
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
