/**
 * Writes etc/*.api.txt: what each entry of the package promises, as the compiler declares it, so that a change of the
 * face shows in a diff: `npx node scripts/api-report.ts`. test/package.test.ts fails when they are not up to date.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");

interface Module {
  /** Declarations by name, comments taken out; overloads one below the other. */
  readonly declared: ReadonlyMap<string, string>;
  /** What the module has under a name from elsewhere: our own file, and the name there. */
  readonly taken: ReadonlyMap<string, { readonly file: string; readonly name: string }>;
  /** Names that are handed on or declared with `export`, and modules of which everything is. */
  readonly exported: ReadonlySet<string>;
  readonly stars: readonly string[];
}

interface Found {
  readonly file: string;
  readonly name: string;
}

/** Reads declaration files as tsc prints them: a statement begins at the first column, and nothing else does. */
class Declarations {
  readonly #modules = new Map<string, Module>();

  module(file: string): Module {
    let module = this.#modules.get(file);
    if (module === undefined) {
      module = parse(file);
      this.#modules.set(file, module);
    }
    return module;
  }

  /** Where a name that a module has comes from in the end; undefined for another package's. */
  find(file: string, name: string): Found | undefined {
    const { declared, taken, stars } = this.module(file);
    if (declared.has(name)) return { file, name };
    const from = taken.get(name);
    if (from) return this.find(from.file, from.name);
    for (const star of stars) {
      const found = this.find(star, name);
      if (found) return found;
    }
    return undefined;
  }

  namesOf(file: string): Set<string> {
    const { exported, stars } = this.module(file);
    return new Set([...exported, ...stars.flatMap((star) => [...this.namesOf(star)])]);
  }
}

function parse(file: string): Module {
  const text = readFileSync(file, "utf8").replace(/^\s*\/\*[\s\S]*?\*\/\s*\n/gm, "");
  const [declared, taken] = [new Map<string, string>(), new Map<string, { file: string; name: string }>()];
  const [exported, stars] = [new Set<string>(), [] as string[]];
  for (const statement of text.split(/\n(?=[a-z])/)) {
    const star = /^export (?:type )?\* from "(\.[^"]+)"/.exec(statement);
    const list = /^(import|export) (?:type )?\{([^}]*)\}(?: from "([^"]+)")?/.exec(statement);
    const name =
      /^(?:export )?(?:declare )?(?:abstract )?(?:const|function|class|interface|type) ([\w$]+)/.exec(
        statement,
      )?.[1];
    if (star) stars.push(fileAt(file, star[1]!));
    else if (list) {
      for (const item of list[2]!.split(",")) {
        const [from = "", to = from] = item
          .trim()
          .replace(/^type /, "")
          .split(" as ");
        if (from === "") continue;
        if (list[3]?.startsWith(".")) taken.set(to, { file: fileAt(file, list[3]), name: from });
        if (list[1] === "export") exported.add(to);
      }
    } else if (name !== undefined) {
      if (statement.startsWith("export ")) exported.add(name);
      const said = statement.replace(/^export (?:declare )?|^declare /, "").trimEnd();
      declared.set(name, declared.has(name) ? `${declared.get(name)}\n${said}` : said);
    }
  }
  return { declared, taken, exported, stars };
}

function fileAt(from: string, specifier: string): string {
  return resolve(dirname(from), specifier.replace(/\.(ts|js)$/, ".d.ts"));
}

/** The reports by file name, from a folder of declarations. */
export function apiReports(folder: string): Map<string, string> {
  const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    exports: Readonly<Record<string, string | { readonly types: string }>>;
  };
  const reports = new Map<string, string>();
  for (const [path, target] of Object.entries(exports)) {
    if (typeof target === "string") continue;
    const entry = join("loci", path);
    const file = join(folder, target.types.replace("./dist/", ""));
    reports.set(`etc/${entry.replace("/", "-")}.api.txt`, report(entry, folder, file));
  }
  return reports;
}

function report(entry: string, folder: string, file: string): string {
  const declarations = new Declarations();
  const textOf = ({ file, name }: Found) => declarations.module(file).declared.get(name)!;
  const found = new Map<string, Found>();
  for (const name of [...declarations.namesOf(file)].sort()) {
    const at = declarations.find(file, name);
    if (!at) throw new Error(`${entry}: ${name} is declared nowhere`);
    found.set(name, at);
  }
  const known = new Set([...found.values()].map(keyOf));
  const behind: Found[] = [];
  for (const from of found.values())
    for (const word of new Set(
      textOf(from)
        .replace(/"[^"]*"/g, "")
        .match(/[A-Za-z_$][\w$]*/g),
    )) {
      const at = word === from.name ? undefined : declarations.find(from.file, word);
      if (!at || known.has(keyOf(at))) continue;
      known.add(keyOf(at));
      behind.push(at);
    }
  behind.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  // A record's type is said by its schema alone; of anything else behind the face the name is enough.
  const [schemas, others] = [
    behind.filter((at) => textOf(at).startsWith("const ")),
    behind.filter((at) => !textOf(at).startsWith("const ")),
  ];
  return [
    `# ${entry}: ${found.size} names. Made by scripts/api-report.ts.`,
    ...[...found.values()].map(textOf),
    "# Schemas and lists that these types are made from",
    ...schemas.map(textOf),
    "# Named by these and not exported",
    others.map((at) => `${at.name} (${relative(folder, at.file)})`).join("\n"),
    "",
  ].join("\n\n");
}

function keyOf({ file, name }: Found): string {
  return `${name} ${file}`;
}

if (import.meta.main) {
  const folder = mkdtempSync(join(tmpdir(), "loci-api-"));
  try {
    execFileSync(
      join(ROOT, "node_modules/.bin/tsc"),
      ["-p", join(ROOT, "tsconfig.build.json"), "--emitDeclarationOnly", "--outDir", folder],
      { stdio: "inherit" },
    );
    for (const [path, text] of apiReports(folder)) writeFileSync(join(ROOT, path), text);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
