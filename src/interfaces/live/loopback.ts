/** Whether an address or a name is this machine's own. */
export function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[|\]$/g, "").replace(/^::ffff:/, "");
  return plain === "localhost" || plain === "::1" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(plain);
}

/** The same of the host of a URL. */
export function isLoopbackUrl(url: string): boolean {
  return URL.canParse(url) && isLoopback(new URL(url).hostname);
}
