/**
 * Writes docs/api.md (from the OpenAPI document that a running server gives, and from the commands' own help) and the
 * table of errors in docs/troubleshooting.md: `npx node scripts/api-docs.ts`. A test fails when they are not up to date.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { makeProgram } from "../src/interfaces/cli/program.ts";
import { statusOf } from "../src/interfaces/http/problem.ts";
import { testServer } from "../src/interfaces/testing/test-server.ts";
import { ERROR_CODES } from "../src/schema/index.ts";
import { ERROR_HELP } from "./error-help.ts";
import { fieldsOf, isObject, type Schema, typeOf } from "./schema-words.ts";

export const PAGES = { api: "docs/api.md", troubleshooting: "docs/troubleshooting.md" } as const;
const MARKS = { begin: "<!-- errors: made by scripts/api-docs.ts -->", end: "<!-- end of errors -->" };
const HELP_WIDTH = 110;

interface Body {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
  readonly description?: string;
}

interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: Schema;
    readonly description?: string;
  }[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

interface OpenApi {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** docs/api.md as it should be. */
export async function apiPage(): Promise<string> {
  const server = await testServer();
  try {
    const document = (await (await server.fetch("/v1/openapi.json")).json()) as OpenApi;
    return [
      "# Reference",
      "",
      "Made from the code by `npx node scripts/api-docs.ts`; a test holds it up to date. A running server shows the same at",
      "`/docs`, whole, with every limit, and gives it to generators at `/v1/openapi.json`. The library is documented by its types.",
      "",
      "## HTTP",
      "",
      document.info.description,
      "Scopes and limits: [the server](server.md). `?` marks what may be left out.",
      ...Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).flatMap(([method, operation]) => route(method, path, operation, document)),
      ),
      ...Object.entries(document.components.schemas).flatMap(([name, schema]) => [
        "",
        `### ${name}`,
        "",
        ...fieldsOf(schema),
      ]),
      "",
      "## Command line",
      "",
      "`npm run -s loci -- COMMAND` in a checkout, `npx loci COMMAND` where it is installed. Exit codes: 0 done, 1 an error (one line on",
      "stderr, with its code), 130 interrupted.",
      ...commands(),
      "",
    ].join("\n");
  } finally {
    await server.close();
  }
}

/** The page with its table of errors as it should be; its words stay. */
export function withErrorTable(page: string): string {
  const [begin, end] = [page.indexOf(MARKS.begin), page.indexOf(MARKS.end)];
  if (begin < 0 || end < begin) throw new Error(`${PAGES.troubleshooting} has lost its marks`);
  const rows = ERROR_CODES.map((code) => {
    const { cause, remedy } = ERROR_HELP[code];
    return [`\`${code}\``, String(statusOf(code)), cause, remedy];
  });
  const table = tableOf([["code", "HTTP", "cause", "remedy"], ...rows]);
  return `${page.slice(0, begin)}${MARKS.begin}\n\n${table}\n\n${page.slice(end)}`;
}

/** Columns of even width, as the formatter wants them. */
function tableOf([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((_, n) => Math.max(...[head, ...rows].map((row) => row[n]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

function route(method: string, path: string, operation: Operation, document: OpenApi): string[] {
  const { summary = "", parameters = [], requestBody, responses } = operation;
  const lines = ["", `### ${method.toUpperCase()} ${path}`, "", `${summary}.`];
  const asked = parameters.filter(({ in: where }) => where !== "path");
  if (asked.length > 0) {
    lines.push("", "Query:", "");
    for (const { name, required, schema, description } of asked)
      lines.push(
        `- \`${name}${required ? "" : "?"}\` ${typeOf(schema)}${description ? `: ${description}` : ""}`,
      );
  }
  lines.push(...body("Body", requestBody, document));
  const [status, reply] = Object.entries(responses).find(([code]) => code.startsWith("2")) ?? [];
  if (reply) lines.push(...body(`Answer ${status}: ${reply.description ?? ""}`, reply, document));
  return lines;
}

function body(title: string, { content = {} }: Body = {}, { components }: OpenApi): string[] {
  return Object.entries(content).flatMap(([type, { schema }]) => {
    const head = ["", `${title} (\`${type}\`):`, ""];
    if (!schema) return [];
    if (isObject(schema, components.schemas)) return [...head, ...fieldsOf(schema)];
    return ["", `${title} (\`${type}\`): ${typeOf(schema)}`];
  });
}

function commands(): string[] {
  const program = makeProgram(new AbortController().signal);
  return program.commands.flatMap((command) => {
    command.configureHelp({ helpWidth: HELP_WIDTH });
    return ["", `### loci ${command.name()}`, "", "```", command.helpInformation().trim(), "```"];
  });
}

if (import.meta.main) {
  const root = new URL("..", import.meta.url);
  writeFileSync(new URL(PAGES.api, root), await apiPage());
  const troubleshooting = new URL(PAGES.troubleshooting, root);
  writeFileSync(troubleshooting, withErrorTable(readFileSync(troubleshooting, "utf8")));
}
