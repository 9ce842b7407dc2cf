/** Rows of a CSV file by its header: quoted fields may hold commas, quotes and line breaks (RFC 4180). */
export function csvRows(text: string): Record<string, string>[] {
  const [head, ...rows] = cellsOf(text.replace(/^\uFEFF/, ""));
  if (!head) return [];
  return rows
    .filter((row) => row.some((cell) => cell !== ""))
    .map((row) => Object.fromEntries(head.map((name, n) => [name.trim(), row[n] ?? ""])));
}

function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]];
  let cell = "";
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (quoted) {
      if (char !== '"') cell += char;
      else if (text[i + 1] === '"') {
        cell += '"';
        i++;
      } else quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === "," || char === "\n") {
      rows.at(-1)!.push(cell.replace(/\r$/, ""));
      cell = "";
      if (char === "\n") rows.push([]);
    } else cell += char;
  }
  rows.at(-1)!.push(cell);
  return rows;
}
