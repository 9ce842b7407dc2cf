import { styleText } from "node:util";
import { LociError } from "../../schema/core.ts";
import { harmless, harmlessJson } from "./harmless.ts";

/** Output of a command: one JSON document or text on stdout, everything else on stderr. */
export interface Terminal {
  readonly json: boolean;
  readonly signal: AbortSignal;
  /** The result: as JSON if requested, else as the text made from it. */
  result(value: unknown, text: () => string): void;
  /** One of several results: a line of JSON, or its text. */
  line(value: unknown, text: () => string): void;
  note(line: string): void;
  /** Overwrites itself on a terminal, stays silent in a pipe. */
  progress(line: string): void;
}

export function terminalOf(json: boolean, signal: AbortSignal): Terminal {
  const live = process.stderr.isTTY === true;
  let open = false;
  const clear = () => {
    if (open) process.stderr.write("\r\u001b[K");
    open = false;
  };
  return {
    json,
    signal,
    result(value, text) {
      clear();
      process.stdout.write(`${json ? harmlessJson(JSON.stringify(value, null, 2)) : harmless(text())}\n`);
    },
    line(value, text) {
      clear();
      process.stdout.write(`${json ? JSON.stringify(value) : text()}\n`);
    },
    note(line) {
      clear();
      process.stderr.write(`${harmless(line)}\n`);
    },
    progress(line) {
      if (!live) return;
      process.stderr.write(`\r\u001b[K${harmless(line)}`);
      open = true;
    },
  };
}

/** On terminals only: the answer is emphasised, its evidence is faint. */
export function strong(text: string): string {
  return styleText("bold", text, { stream: process.stdout });
}

export function faint(text: string): string {
  return styleText("dim", text, { stream: process.stdout });
}

/** Rows as columns, as wide as their content; the last one is not padded. */
export function tableText(rows: readonly Readonly<Record<string, string | number | boolean>>[]): string[] {
  const [first] = rows;
  if (!first) return [];
  const columns = Object.keys(first);
  const cells = [columns, ...rows.map((row) => columns.map((name) => String(row[name] ?? "")))];
  const widths = columns.map((_, n) => Math.max(...cells.map((row) => row[n]!.length)));
  return cells.map((row, at) => {
    const line = row
      .map((cell, n) => (n === row.length - 1 ? cell : cell.padEnd(widths[n]!)))
      .join("  ")
      .trimEnd();
    return at === 0 ? faint(line) : line;
  });
}

/** Any failure as the one line a person reads; a bug of ours keeps its stack for the report. */
export function failureLine(error: unknown): string {
  if (error instanceof LociError) return harmless(`loci: ${error.message} [${error.code}]`);
  if (process.env["LOCI_DEBUG"]) return harmless(`loci: ${(error as Error).stack ?? String(error)}`);
  return `loci: unexpected: ${harmless((error as Error).message ?? String(error))} (set LOCI_DEBUG=1 for the details, and please report it)`;
}

export function countOf(n: number, noun: string): string {
  return `${n.toLocaleString("en")} ${n === 1 ? noun : noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

/** UTC to the second, as evidence lines show it. */
export function timeText(us: number): string {
  return new Date(us / 1000)
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replace("T", " ");
}
