import { createHmac, hash } from "node:crypto";

export interface SigningKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly region: string;
}

export interface Signable {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body, in hexadecimal. */
  readonly bodyHash: string;
}

/**
 * The headers of a request to S3 with its signature: AWS Signature Version 4 as its documentation has it ("Authenticating
 * Requests: Using the Authorization Header"). Paths are encoded once, as S3 wants them.
 */
export function signed(
  { method, url, headers, bodyHash }: Signable,
  { accessKeyId, secretAccessKey, sessionToken, region }: SigningKeys,
  now: Date,
): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, "");
  const day = time.slice(0, 8);
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    "x-amz-content-sha256": bodyHash,
    "x-amz-date": time,
    ...(sessionToken && { "x-amz-security-token": sessionToken }),
  };
  const names = Object.keys(all).sort();
  const query = [...url.searchParams].map((pair) => pair.map(encoded).join("=")).sort();
  const canonical = [
    method,
    url.pathname
      .split("/")
      .map((part) => encoded(decodeURIComponent(part)))
      .join("/"),
    query.join("&"),
    ...names.map((name) => `${name}:${all[name]!.trim()}`),
    "",
    names.join(";"),
    bodyHash,
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", time, scope, hash("sha256", canonical)].join("\n");
  let key: Buffer = Buffer.from(`AWS4${secretAccessKey}`);
  for (const part of [day, region, "s3", "aws4_request"])
    key = createHmac("sha256", key).update(part).digest();
  const signature = createHmac("sha256", key).update(toSign).digest("hex");
  const credential = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}`;
  return { ...all, authorization: `${credential},SignedHeaders=${names.join(";")},Signature=${signature}` };
}

/** Every character but the unreserved ones of RFC 3986. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
