import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refuses } from "../testing/contract/fixtures.ts";
import { s3Server } from "../testing/s3-server.ts";
import { type BlobStore, eachBlob, partOf } from "./blob-store.ts";
import { openBlobs } from "./open.ts";
import { S3Blobs } from "./s3.ts";
import { signed } from "./sign.ts";

const KEYS = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "a secret/with+signs", region: "eu-central-1" };
const BYTES = new Uint8Array([0, 1, 2, 255]);

describe("signatures", () => {
  const keys = {
    accessKeyId: "AKIAIOSFODNN7EXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    region: "us-east-1",
  };
  const now = new Date("2013-05-24T00:00:00Z");

  it("are those of the examples in Amazon's documentation", () => {
    const get = signed(
      {
        method: "GET",
        url: new URL("https://examplebucket.s3.amazonaws.com/test.txt"),
        headers: { range: "bytes=0-9" },
        bodyHash: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      },
      keys,
      now,
    );
    expect(get["authorization"]).toMatch(
      /=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41$/,
    );
    const put = signed(
      {
        method: "PUT",
        url: new URL("https://examplebucket.s3.amazonaws.com/test$file.text"),
        headers: { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
        bodyHash: "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
      },
      keys,
      now,
    );
    expect(put["authorization"]).toMatch(
      /=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd$/,
    );
  });
});

describe("an S3 store", () => {
  let server: Awaited<ReturnType<typeof s3Server>>;
  beforeAll(async () => {
    server = await s3Server(KEYS, "pictures");
  });
  afterAll(() => server.close());
  const store = (options: { bucket?: string; secretAccessKey?: string } = {}) => {
    const { bucket = "pictures", secretAccessKey = KEYS.secretAccessKey } = options;
    const keys = { ...KEYS, secretAccessKey };
    return new S3Blobs({ endpoint: server.endpoint, bucket, prefix: "a/b", keys, pauseMs: 1 });
  };

  it("keeps, gives and gives up", async () => {
    await keepsAndGivesUp(partOf(store(), "scene-1"));
    expect(server.requests[0]).toBe("GET /pictures/a/b/scene-1/ab12");
  });

  it("tries again what may go well in a moment, and no more than so often", async () => {
    server.script.push(503, 0, 500);
    await store().put("k", BYTES);
    expect(server.objects.get("/pictures/a/b/k")).toEqual(Buffer.from(BYTES));
    server.script.push(503, 503, 503, 503, 503);
    const asked = server.requests.length;
    await refuses("source-unavailable", () => store().get("k"));
    expect(server.requests.length - asked).toBe(5);
  });

  it("says in one line what is wrong, and no secret", async () => {
    await refuses("access-denied", () => store({ secretAccessKey: "wrong" }).put("k", BYTES));
    await refuses("memory-not-found", () => store({ bucket: "nobodys" }).get("k"));
    const error = await store({ secretAccessKey: "hush" })
      .get("k")
      .catch((cause: Error) => cause);
    expect((error as Error).message).toMatch(
      /^blobs in s3:\/\/pictures\/a\/b at http.*403 SignatureDoesNotMatch; check/,
    );
    expect((error as Error).message).not.toContain("hush");
  });

  it("is opened by its URL and the variables that all S3 clients read", async () => {
    const environment = {
      AWS_ACCESS_KEY_ID: KEYS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
      AWS_REGION: KEYS.region,
      AWS_ENDPOINT_URL: server.endpoint,
    };
    await keepsAndGivesUp(await openBlobs("s3://pictures/other", environment));
    await refuses("access-denied", () => openBlobs("s3://pictures", {}));
    await refuses("invalid-input", () => openBlobs("gs://pictures", environment));
    await refuses("invalid-input", () =>
      openBlobs("s3://pictures", { ...environment, AWS_ENDPOINT_URL: "host" }),
    );
  });
});

describe("a folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "loci-blobs-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("keeps, gives and gives up, and leaves no drafts", async () => {
    const store = await openBlobs(folder, {});
    await keepsAndGivesUp(partOf(store, "scene-1"));
    const names = Array.from({ length: 40 }, (_, n) => `${n}`.padStart(8, "0"));
    await eachBlob(names, (name) => store.put(`s/${name}`, BYTES));
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files.map(({ name }) => name).sort()).toEqual(names);
  });

  it("says what is wrong with it", async () => {
    const store = await openBlobs("/dev/null/nowhere", {});
    await refuses("source-unavailable", () => store.put("s/k", BYTES));
  });
});

async function keepsAndGivesUp(store: BlobStore): Promise<void> {
  expect(await store.get("ab12")).toBeUndefined();
  await store.put("ab12", BYTES);
  await store.put("ab12", BYTES);
  expect(new Uint8Array((await store.get("ab12"))!)).toEqual(BYTES);
  await store.delete("ab12");
  await store.delete("ab12");
  expect(await store.get("ab12")).toBeUndefined();
}
