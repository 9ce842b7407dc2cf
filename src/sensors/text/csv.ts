import { LociError } from "../../schema/index.ts";

const CELLS = 50_000_000;

/** Rows of comma-separated values with quotes doubled inside quotes (RFC 4180); empty lines are skipped. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  let cells = 0;
  const endCell = () => {
    if (++cells > CELLS) throw new LociError("limit-exceeded", "too many cells in a table");
    row.push(cell);
    cell = "";
  };
  const endRow = () => {
    endCell();
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
  };
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text[i + 1] === '"') cell += text[++i];
      else isQuoted = false;
    } else if (char === '"' && cell === "") isQuoted = true;
    else if (char === ",") endCell();
    else if (char === "\n") endRow();
    else if (char !== "\r") cell += char;
  }
  if (isQuoted) throw new LociError("invalid-input", "a quote in the table is never closed");
  if (cell !== "" || row.length > 0) endRow();
  return rows;
}

/** Rows as objects, keyed by the first row; empty cells are absent. */
export function csvRecords(text: string): Record<string, string>[] {
  const [header, ...rows] = parseCsv(text.replace(/^\uFEFF/, ""));
  const names = (header ?? []).map((name) => name.trim());
  return rows.map((row) => Object.fromEntries(names.flatMap((name, i) => (row[i] ? [[name, row[i]]] : []))));
}
