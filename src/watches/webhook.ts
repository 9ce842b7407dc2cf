import { createHmac } from "node:crypto";
import { lookup } from "node:dns";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { LociError } from "../schema/core.ts";

/** Time limit of an attempt, and most bytes read of a response. */
const ATTEMPT_MS = 10_000;

/** Where webhooks may go besides the public internet: hosts by name or address, with or without a port. */
export interface WebhookPolicy {
  readonly allow: readonly string[];
}

/** Addresses that an outside request must not make this machine call (RFC 6890). */
const PRIVATE = new BlockList();
for (const [net, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  PRIVATE.addSubnet(net, bits, "ipv4");
for (const [net, bits] of [
  ["::", 96], // unspecified, loopback and the old notation of IPv4
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const)
  PRIVATE.addSubnet(net, bits, "ipv6");

/** Whether an address is unreachable from outside. */
export function isPrivate(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const plain = mapped ?? address;
  if (/^::ffff:/i.test(plain)) return true;
  return PRIVATE.check(plain, isIP(plain) === 6 ? "ipv6" : "ipv4");
}

/** Refuses targets that are clearly not allowed; host names are checked again when they are resolved. */
export function checkTarget(given: string, { allow }: WebhookPolicy): URL {
  const url = URL.parse(given);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    throw new LociError("invalid-input", "a webhook is an http or https URL without a user name in it");
  const host = bare(url.hostname);
  const isAllowed = allow.some((one) => one === host || one === url.host);
  if (
    !isAllowed &&
    (/^localhost$|\.localhost$|\.local$|\.internal$/i.test(host) || (isIP(host) > 0 && isPrivate(host)))
  )
    throw new LociError(
      "access-denied",
      "a webhook goes to this machine or a private network only where the server was told to allow it (--allow-webhook HOST)",
    );
  return url;
}

/**
 * Sends one event, signed: `loci-signature: t=SECONDS,v1=HEX`, the HMAC-SHA256 of `SECONDS.BODY` with the secret. A
 * 2xx response acknowledges it. Redirects are not followed, and the checked address is the one called.
 */
export async function deliver(
  event: { readonly id: string },
  { url: target, secret }: { readonly url: string; readonly secret: string },
  options: { readonly policy: WebhookPolicy; readonly nowUs: () => number; readonly signal: AbortSignal },
): Promise<void> {
  const url = checkTarget(target, options.policy);
  const isAllowed = options.policy.allow.some((one) => one === bare(url.hostname) || one === url.host);
  const body = JSON.stringify(event);
  const seconds = Math.floor(options.nowUs() / 1e6);
  const signature = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  await new Promise<void>((resolve, reject) => {
    const call = send(
      url,
      {
        method: "POST",
        agent: false,
        signal: AbortSignal.any([options.signal, AbortSignal.timeout(ATTEMPT_MS)]),
        headers: {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
          "user-agent": "loci",
          "loci-event-id": event.id,
          "loci-signature": `t=${seconds},v1=${signature}`,
        },
        ...(isAllowed ? {} : { lookup: publicOnly }),
      },
      (response) => {
        const { statusCode = 0 } = response;
        response.destroy();
        if (statusCode >= 200 && statusCode < 300) resolve();
        else reject(new LociError("source-unavailable", `the webhook answered ${statusCode}`));
      },
    );
    call.on("error", reject);
    call.end(body);
  });
}

/** Resolves a name, and refuses it if any of its addresses is private: a second lookup could give another address. */
const publicOnly: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, "", 0);
    if (addresses.length === 0 || addresses.some(({ address }) => isPrivate(address)))
      return callback(new LociError("access-denied", "the webhook's name leads to a private address"), "", 0);
    if (options.all) return callback(null, addresses);
    return callback(null, addresses[0]!.address, addresses[0]!.family);
  });
};

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "").toLowerCase();
}
