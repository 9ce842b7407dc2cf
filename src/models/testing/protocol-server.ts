import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Protocol, ScriptedReply } from "./protocols.ts";

/** A server on loopback that speaks a vendor's protocol by a script. */
export interface ProtocolServer {
  readonly baseUrl: string;
  readonly asked: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[];
  /** The next replies, in order; after its end every request is answered with `otherwise`. */
  script: ScriptedReply[];
  otherwise: ScriptedReply;
  close(): Promise<void>;
}

export async function startProtocolServer(protocol: Protocol): Promise<ProtocolServer> {
  const asked: ProtocolServer["asked"] = [];
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    asked.push({ path: request.url ?? "", headers: request.headers, body });
    send(response, server.script.shift() ?? server.otherwise, protocol, body);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const server: ProtocolServer = {
    baseUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`,
    asked,
    script: [],
    otherwise: { status: 500 },
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return server;
}

function send(response: ServerResponse, reply: ScriptedReply, protocol: Protocol, request: string): void {
  const json = { "content-type": "application/json" };
  if ("fault" in reply) {
    if (reply.fault === "hang") return;
    response.writeHead(200, { ...json, "content-length": "1000" });
    response.write('{"half": ');
    setImmediate(() => response.destroy());
    return;
  }
  if ("pieces" in reply) {
    const { said, end } = protocol.events(reply.pieces);
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of said) response.write(event);
    if (reply.cut) setImmediate(() => response.destroy());
    else response.end(end.join(""));
    return;
  }
  if ("bytes" in reply) {
    const whole = protocol.answer({ say: "x".repeat(reply.bytes) }, request);
    response.writeHead(200, json).end(JSON.stringify(whole));
    return;
  }
  if ("status" in reply) {
    const body = protocol.error(reply.status, reply.message ?? "no");
    response.writeHead(reply.status, { ...json, ...reply.headers }).end(JSON.stringify(body));
    return;
  }
  response.writeHead(200, json).end(JSON.stringify(protocol.answer(reply, request)));
}
