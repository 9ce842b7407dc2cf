import { defineConfig } from "vite";

/** One page with relative addresses, so that it can be served from anywhere; the server beside it is the only one it talks to. */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  build: {
    target: "es2023",
    outDir: "dist",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_200,
  },
  server: { proxy: { "/v1": process.env["LOCI_URL"] ?? "http://127.0.0.1:7077" } },
});
