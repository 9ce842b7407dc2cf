/**
 * PostgreSQL's text cannot hold the character zero, which our texts may. It is written as `\0`, and a backslash as
 * two; every other text is stored as it is.
 */
export function toText(text: string): string {
  return text.includes("\\") || text.includes("\0")
    ? text.replace(/[\\\0]/g, (c) => (c === "\\" ? "\\\\" : "\\0"))
    : text;
}

export function fromText(stored: string): string {
  return stored.includes("\\") ? stored.replace(/\\([\\0])/g, (_, c) => (c === "0" ? "\0" : "\\")) : stored;
}

/** A list of texts as PostgreSQL writes arrays. */
export function arrayLiteral(items: readonly (string | number)[]): string {
  return `{${items
    .map((item) => (typeof item === "number" ? item : `"${item.replace(/["\\]/g, "\\$&")}"`))
    .join(",")}}`;
}
