import { describe, expect, it } from "vitest";
import { partsOf } from "./multipart.ts";

const TYPE = "multipart/form-data; boundary=B";
const textsOf = (body: string, type = TYPE) =>
  Object.fromEntries([...partsOf(Buffer.from(body), type)].map(([name, part]) => [name, String(part)]));

describe("the parts of a form", () => {
  it("are what a client of the platform sends, byte for byte", async () => {
    const form = new FormData();
    const bytes = Uint8Array.from({ length: 5_000 }, (_, n) => (n * 31) % 256);
    form.set("frame", '{"name": "a; name=b"}');
    form.set("picture", new Blob([bytes]), 'name="x".png');
    form.set("empty", "");
    const sent = new Response(form);
    const parts = partsOf(Buffer.from(await sent.arrayBuffer()), sent.headers.get("content-type")!);
    expect([...parts.keys()]).toEqual(["frame", "picture", "empty"]);
    expect(String(parts.get("frame"))).toBe('{"name": "a; name=b"}');
    expect(new Uint8Array(parts.get("picture")!)).toEqual(bytes);
    expect(parts.get("empty")!.length).toBe(0);
  });

  it("may be empty, unquoted, after a preamble; of two of one name the first is taken", () => {
    const head = "Content-Disposition: form-data; name=";
    const body = `hello\r\n--B\r\n${head}a\r\n\r\n--B\r\n${head}"b"\r\n\r\n1\r\n--B\r\n${head}b\r\n\r\n2\r\n--B--`;
    expect(textsOf(body)).toEqual({ a: "", b: "1" });
    expect(textsOf(body.replaceAll("--B", "--x y"), 'multipart/form-data; boundary="x y"').b).toBe("1");
  });

  it("are refused where they cannot be told apart", () => {
    for (const body of ["", "--B", "--B\r\n\r\n", "--C--", "--B\r\nX: 1\r\n\r\nno end"])
      expect(() => textsOf(body)).toThrow(/can be read/);
    for (const type of ["", "application/json", "multipart/form-data"])
      expect(() => textsOf("--B--", type)).toThrow(/with a boundary/);
    expect(() => textsOf(`--B\r\nX: ${"y".repeat(9_000)}\r\n\r\n--B--`)).toThrow(/at most 4096 bytes/);
    expect(() => textsOf(`${"--B\r\nX: 1\r\n\r\n\r\n".repeat(20)}--B--`)).toThrow(/at most 16 parts/);
  });
});
