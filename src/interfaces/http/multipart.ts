import { LociError } from "../../schema/core.ts";

/** A frame has four parts, each with a short head. */
const MAX_PARTS = 16;
const MAX_HEAD_BYTES = 4_096;

const BOUNDARY = /boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
const NAME = /content-disposition:[^\r\n]*[;\s]name=(?:"([^"\r\n]*)"|([^\s;"]+))/i;
const LINE_END = "\r\n";
const HEAD_END = "\r\n\r\n";

/**
 * The parts of a form (RFC 7578) by name, the first of each. They are views of the body: nothing is copied, and a body
 * of many megabytes is gone through once. Very many parts, or one very long head, are refused.
 */
export function partsOf(body: Buffer, contentType: string): ReadonlyMap<string, Buffer> {
  const found = /^multipart\/form-data;/i.test(contentType) ? BOUNDARY.exec(contentType) : null;
  const name = found?.[1] ?? found?.[2];
  if (name === undefined)
    throw new LociError("invalid-input", "expected multipart/form-data with a boundary");
  const boundary = Buffer.from(`--${name}`, "latin1");
  const next = Buffer.from(`${LINE_END}--${name}`, "latin1");
  const parts = new Map<string, Buffer>();
  let at = body.indexOf(boundary);
  if (at < 0) throw unreadable();
  for (let count = 0; ; count++) {
    at += boundary.length;
    if (body.toString("latin1", at, at + 2) === "--") return parts;
    if (count === MAX_PARTS)
      throw new LociError(
        "limit-exceeded",
        `a frame has at most ${MAX_PARTS} parts; send frame, picture, depth and masks`,
      );
    const head = body.subarray(at, at + MAX_HEAD_BYTES);
    const headEnd = head.indexOf(HEAD_END);
    if (headEnd < 0 && head.length === MAX_HEAD_BYTES)
      throw new LociError("limit-exceeded", `the head of a part has at most ${MAX_HEAD_BYTES} bytes`);
    // The line end before the boundary may be the second one of the head: then the part is empty.
    const end = headEnd < 0 ? -1 : body.indexOf(next, at + headEnd + LINE_END.length);
    if (end < 0) throw unreadable();
    const [, quoted, plain] = NAME.exec(head.toString("utf8", 0, headEnd)) ?? [];
    const own = quoted ?? plain;
    const start = at + headEnd + HEAD_END.length;
    if (own !== undefined && !parts.has(own)) parts.set(own, body.subarray(start, Math.max(start, end)));
    at = end + LINE_END.length;
  }
}

function unreadable(): LociError {
  return new LociError(
    "invalid-input",
    "expected multipart/form-data that can be read: parts between boundaries, the last one followed by --",
  );
}
