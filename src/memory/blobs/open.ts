import { LociError } from "../../schema/core.ts";
import type { BlobStore } from "./blob-store.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The store at a location: a folder's path, or `s3://bucket/prefix`. Keys, region and endpoint come from the usual S3
 * variables: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION, AWS_ENDPOINT_URL.
 */
export async function openBlobs(place: string, environment: Environment): Promise<BlobStore> {
  const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,62})(?:\/([\w./-]*))?$/.exec(place);
  if (match === null) {
    if (/^\w+:\/\//.test(place))
      throw new LociError(
        "invalid-input",
        `blobs: a folder or s3://bucket/prefix expected, got "${place.slice(0, 80)}"`,
      );
    const { DiskBlobs } = await import("./disk.ts");
    return new DiskBlobs(place);
  }
  const [accessKeyId, secretAccessKey] = [
    environment["AWS_ACCESS_KEY_ID"],
    environment["AWS_SECRET_ACCESS_KEY"],
  ];
  if (!accessKeyId || !secretAccessKey)
    throw new LociError("access-denied", `${place}: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`);
  const region = environment["AWS_REGION"] ?? "us-east-1";
  const endpoint = environment["AWS_ENDPOINT_URL"] ?? `https://s3.${region}.amazonaws.com`;
  if (!/^https?:\/\/[^/?#]+\/?$/.test(endpoint))
    throw new LociError("invalid-input", "AWS_ENDPOINT_URL: http(s)://host:port expected");
  const { S3Blobs } = await import("./s3.ts");
  const sessionToken = environment["AWS_SESSION_TOKEN"];
  return new S3Blobs({
    endpoint: endpoint.replace(/\/$/, ""),
    bucket: match[1]!,
    prefix: (match[2] ?? "").replace(/^\/+|\/+$/g, ""),
    keys: { accessKeyId, secretAccessKey, region, ...(sessionToken && { sessionToken }) },
  });
}
