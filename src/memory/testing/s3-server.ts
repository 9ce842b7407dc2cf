import { hash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type SigningKeys, signed } from "../blobs/sign.ts";

/** An S3 store on this machine, as far as ours is used: by path, every signature and every body held against its hash. */
export async function s3Server(keys: SigningKeys, bucket: string) {
  const objects = new Map<string, Buffer>();
  const script: number[] = [];
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const { method = "", url = "" } = request;
    requests.push(`${method} ${url}`);
    const said = (status: number, code: string) =>
      response.writeHead(status).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
    const scripted = script.shift();
    if (scripted === 0) return void request.socket.destroy();
    if (scripted !== undefined) return void said(scripted, "Scripted");
    if (!isSigned(request, keys, body)) return void said(403, "SignatureDoesNotMatch");
    if (!url.startsWith(`/${bucket}/`)) return void said(404, "NoSuchBucket");
    if (method === "PUT") objects.set(url, body);
    else if (method === "DELETE") objects.delete(url);
    else if (!objects.has(url)) return void said(404, "NoSuchKey");
    response.writeHead(method === "DELETE" ? 204 : 200).end(method === "GET" ? objects.get(url) : undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    requests,
    /** Replies to the next requests in place of real ones; 0 breaks the connection. */
    script,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

function isSigned({ method, url, headers }: IncomingMessage, keys: SigningKeys, body: Buffer): boolean {
  const [date, bodyHash] = [String(headers["x-amz-date"]), String(headers["x-amz-content-sha256"])];
  if (bodyHash !== hash("sha256", body)) return false;
  const now = new Date(date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  const request = { method: method!, url: new URL(url!, `http://${headers.host}`), headers: {}, bodyHash };
  return signed(request, keys, now)["authorization"] === headers.authorization;
}
