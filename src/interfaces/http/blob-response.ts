import { problem, problemResponse } from "./problem.ts";

/**
 * Immutable bytes, since their name is their hash: whole, one range of them, or a notice that the client has them. The
 * route has checked that the caller may see them.
 */
export function blobResponse(request: Headers, ref: string, bytes: Uint8Array): Response {
  const headers = {
    etag: `"${ref}"`,
    "accept-ranges": "bytes",
    "cache-control": "private, max-age=31536000, immutable",
    "content-type": typeOf(bytes),
    // Uploaded content is displayed as a picture or not at all, never run as a page.
    "content-security-policy": "default-src 'none'; sandbox",
  };
  if (request.get("if-none-match")?.includes(headers.etag))
    return new Response(null, { status: 304, headers });
  const wanted = rangeOf(request, headers.etag, bytes.length);
  if (wanted === "none") return bytesResponse(bytes, 200, headers);
  if (wanted === "beyond")
    return problemResponse(problem(416, "invalid-input", `this has ${bytes.length} bytes`), {
      "content-range": `bytes */${bytes.length}`,
    });
  const [from, to] = wanted;
  return bytesResponse(bytes.subarray(from, to + 1), 206, {
    ...headers,
    "content-range": `bytes ${from}-${to}/${bytes.length}`,
  });
}

function bytesResponse(
  bytes: Uint8Array,
  status: number,
  headers: Readonly<Record<string, string>>,
): Response {
  return new Response(new Uint8Array(bytes), { status, headers });
}

/** First and last byte; a request for several ranges gets the whole, as RFC 9110 allows. */
function rangeOf(request: Headers, etag: string, length: number): [number, number] | "none" | "beyond" {
  const condition = request.get("if-range");
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(request.get("range") ?? "");
  if (!match || (condition !== null && condition !== etag)) return "none";
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return "none";
  const from = first === "" ? Math.max(0, length - Number(last)) : Number(first);
  const to = first === "" || last === "" ? length - 1 : Math.min(Number(last), length - 1);
  if (first !== "" && last !== "" && Number(last) < Number(first)) return "none";
  return from > to ? "beyond" : [from, to];
}

/** The type by the first bytes. */
function typeOf(bytes: Uint8Array): string {
  const begins = (...start: number[]) => start.every((byte, n) => bytes[n] === byte);
  if (begins(0xff, 0xd8, 0xff)) return "image/jpeg";
  if (begins(0x89, 0x50, 0x4e, 0x47)) return "image/png";
  return "application/octet-stream";
}
