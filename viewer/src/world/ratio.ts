/** Edges are smooth because more pixels are drawn than shown; without a graphics card there is no time for that. */
const SMOOTH_RATIO = 1.5;
export const MOST_RATIO = 2;

/** Pixels that are drawn for each of the screen at least, along a side. */
export function leastRatio(gl: WebGLRenderingContext | WebGL2RenderingContext): number {
  const name = gl.getParameter(
    gl.getExtension("WEBGL_debug_renderer_info")?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER,
  );
  return /swiftshader|llvmpipe|software/i.test(String(name)) ? 1 : SMOOTH_RATIO;
}
