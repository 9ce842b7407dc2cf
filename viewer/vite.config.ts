import { resolve } from "node:path";
import { build, defineConfig, type Plugin } from "vite";

/**
 * One page with relative addresses, so that it can be served from anywhere; it only talks to the server it came from.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [mapApp()],
  build: {
    target: "es2023",
    outDir: "dist",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_200,
  },
  server: { proxy: { "/v1": process.env["LOCI_URL"] ?? "http://127.0.0.1:7077" } },
});

/** The map as an MCP App, beside the viewer: one self-contained file, because hosts accept no second one. */
function mapApp(): Plugin {
  return {
    name: "map-app",
    apply: "build",
    async generateBundle() {
      const root = resolve(import.meta.dirname, "app");
      const made = await build({
        configFile: false,
        root,
        logLevel: "warn",
        build: { target: "es2023", write: false, modulePreload: false },
      });
      if (!("output" in made)) throw new Error("expected one bundle");
      let html = "";
      let head = "";
      for (const part of made.output) {
        if (part.type === "chunk")
          head += `<script type="module">${part.code.replaceAll("</script", "<\\/script")}</script>`;
        else if (part.fileName.endsWith(".css")) head += `<style>${part.source}</style>`;
        else if (part.fileName.endsWith(".html")) html = String(part.source);
      }
      const source = html
        .replace(/\s*<(?:script|link)\b[^>]*(?:src|href)=[^>]*>(?:<\/script>)?/g, "")
        .replace("</head>", () => `${head}</head>`);
      this.emitFile({ type: "asset", fileName: "map-app.html", source });
    },
  };
}
