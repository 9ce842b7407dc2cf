import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
const CODE_LINES = 400;
const TEST_LINES = 600;

/** Who may import whom; every room may import geometry and schema (docs/architecture.md). */
const MAY_IMPORT: Record<string, readonly string[]> = {
  geometry: [],
  schema: [],
  ontology: [],
  models: [],
  sensors: [],
  memory: [],
  localisation: ["memory", "map"],
  perception: ["models", "localisation"],
  corrections: ["memory"],
  tracking: ["memory", "models"],
  map: ["memory", "models"],
  ingest: ["sensors", "localisation", "perception", "tracking", "map", "memory", "models"],
  retrieval: ["memory", "map", "models"],
  belief: ["map", "memory", "models"],
  reasoning: ["belief", "retrieval", "map", "memory", "models", "perception"],
  watches: ["belief", "reasoning", "memory"],
  exploration: ["belief", "retrieval", "reasoning", "ingest", "map", "memory", "models", "sensors"],
  sharing: ["memory", "tracking", "map"],
  exchange: ["belief", "memory", "map", "sensors"],
  world: ["sensors"],
  evaluation: [
    "models",
    "sensors",
    "perception",
    "memory",
    "tracking",
    "map",
    "ingest",
    "retrieval",
    "belief",
    "reasoning",
    "exploration",
    "sharing",
    "exchange",
    "world",
    "index.ts",
    "compose.ts",
    "compose",
    "operations",
  ],
  interfaces: ["index.ts", "compose.ts", "operations", "remote", "evaluation"],
  /** The same operations over HTTP, and the peer of a sync. */
  remote: ["operations", "compose", "memory", "sharing"],
  /** The pieces of compose.ts. */
  compose: [],
  /** What can be done with a memory; the interfaces are made from it. */
  operations: [],
};

/** What nothing of ours imports: users or the command do. Situations are not yet reached by a question. */
const ENTRIES = ["interfaces/cli/main.ts", "reasoning/situation/index.ts", "world/index.ts"];

interface Import {
  readonly from: string;
  readonly to: string;
}

function filesUnder(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    if (name === "node_modules" || name.startsWith(".")) return [];
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesUnder(path) : [path];
  });
}

const sources = filesUnder(join(ROOT, "src")).filter(
  (path) => path.endsWith(".ts") && !path.includes("/kernels/"),
);

/** Static and dynamic imports of our own files, resolved. */
function importsOf(path: string): Import[] {
  const text = readFileSync(path, "utf8");
  const found = text.matchAll(/(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g);
  return Array.from(found, (match) => ({ from: path, to: resolve(dirname(path), match[1]!) }));
}

/** The room a file stands in: a folder of src, or one of the two faces at its top. */
function roomOf(path: string): string {
  return relative(join(ROOT, "src"), path).split("/")[0]!.replace(".test.ts", ".ts");
}

const imports = sources.flatMap(importsOf);

describe("the house is tidy", () => {
  it("imports only what the table allows", () => {
    const wrong = imports.filter(({ from, to }) => {
      const [room, other] = [roomOf(from), roomOf(to)];
      if (room === other) return false;
      // A test may use what builds or measures the product; nothing else reaches out of src.
      if (other === "..") return !from.endsWith(".test.ts");
      // What the server hands out is read back as a client would, with the decoder of `loci/feed`.
      if (room === "interfaces" && other === "exchange") return !from.endsWith(".test.ts");
      if (["index.ts", "compose.ts", "compose", "operations"].includes(room))
        return other === "interfaces" || other === "evaluation";
      if (room === "geometry") return true;
      if (room === "schema") return other !== "geometry";
      if (other === "geometry" || other === "schema") return false;
      // One vocabulary for all who name things; a memory keeps what it is given.
      if (other === "ontology") return room === "memory";
      return !MAY_IMPORT[room]?.includes(other);
    });
    expect(wrong.map(({ from, to }) => `${relative(ROOT, from)} → ${relative(ROOT, to)}`)).toEqual([]);
  });

  it("knows every folder of src", () => {
    const rooms = readdirSync(join(ROOT, "src")).filter((name) =>
      statSync(join(ROOT, "src", name)).isDirectory(),
    );
    expect(rooms.filter((room) => !(room in MAY_IMPORT))).toEqual([]);
  });

  it("has no import cycle", () => {
    const graph = Map.groupBy(imports, ({ from }) => from);
    const state = new Map<string, "open" | "done">();
    const cycles: string[] = [];
    const visit = (path: string, trail: readonly string[]): void => {
      if (state.get(path) === "done") return;
      if (state.get(path) === "open") {
        cycles.push([...trail.slice(trail.indexOf(path)), path].map((p) => relative(ROOT, p)).join(" → "));
        return;
      }
      state.set(path, "open");
      for (const { to } of graph.get(path) ?? []) visit(to, [...trail, path]);
      state.set(path, "done");
    };
    for (const path of sources) visit(path, []);
    expect(cycles).toEqual([]);
  });

  it("ships nothing of tests", () => {
    const isOfTests = (path: string) => path.endsWith(".test.ts") || path.includes("/testing/");
    const shipped = sources.filter((path) => !isOfTests(path));
    const wrong = shipped.filter(
      (path) =>
        /from "(vitest|fast-check)"/.test(readFileSync(path, "utf8")) ||
        importsOf(path).some(({ to }) => isOfTests(to)),
    );
    expect(wrong.map((path) => relative(ROOT, path))).toEqual([]);
    // What nobody but tests imports belongs to them. A worker is started by its path.
    const used = new Set(
      [
        ...shipped,
        ...["bench", "scripts", "training", "viewer"].flatMap((name) => filesUnder(join(ROOT, name))),
      ]
        .filter((path) => /\.tsx?$/.test(path) && !isOfTests(path))
        .flatMap((path) => importsOf(path).map(({ to }) => to)),
    );
    const unused = shipped.filter((path) => !used.has(path) && !/worker\.ts$|\.d\.ts$/.test(path));
    expect(unused.map((path) => relative(join(ROOT, "src"), path)).sort()).toEqual(ENTRIES);
  });

  it("cites formulas that a reader has", () => {
    const page = readFileSync(join(ROOT, "docs/formulas.md"), "utf8");
    const known = new Set(Array.from(page.matchAll(/^### (.+)$/gm), ([, name]) => `#${name}`));
    const wrong = filesUnder(join(ROOT, "src"))
      .filter((path) => /\.(ts|md)$/.test(path))
      .flatMap((path) => {
        const text = readFileSync(path, "utf8");
        const cited = Array.from(text.matchAll(/formulas\.md((?:(?:, )?#[a-z-]+)+)/g), ([, names]) => names!);
        const missing = cited.flatMap((names) => names.split(", ")).filter((name) => !known.has(name));
        const elsewhere = text.match(/\bSPEC §|§\d|\(A-[A-Z]\d+\)/g) ?? [];
        return [...missing, ...elsewhere].map((name) => `${relative(ROOT, path)}: ${name}`);
      });
    expect(wrong).toEqual([]);
  });

  it("keeps files short", () => {
    const all = ["src", "test", "bench", "scripts", "examples", "viewer"].flatMap((name) =>
      filesUnder(join(ROOT, name)),
    );
    const long = all
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => ({ path, lines: readFileSync(path, "utf8").split("\n").length - 1 }))
      .filter(
        ({ path, lines }) =>
          lines > (path.includes(".test.") || path.includes("/testing/") ? TEST_LINES : CODE_LINES),
      );
    expect(long.map(({ path, lines }) => `${relative(ROOT, path)}: ${lines} lines`)).toEqual([]);
  });

  it("gives every room a README", () => {
    const rooms = readdirSync(join(ROOT, "src")).filter((name) =>
      statSync(join(ROOT, "src", name)).isDirectory(),
    );
    expect(rooms.filter((room) => !existsSync(join(ROOT, "src", room, "README.md")))).toEqual([]);
  });
});
