/** Supersampling for smooth edges; too slow without a graphics card. */
const SMOOTH_RATIO = 1.5;
export const MOST_RATIO = 2;

/** Least drawn pixels per screen pixel, along a side. */
export function leastRatio(gl: WebGLRenderingContext | WebGL2RenderingContext): number {
  const name = gl.getParameter(
    gl.getExtension("WEBGL_debug_renderer_info")?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER,
  );
  return /swiftshader|llvmpipe|software/i.test(String(name)) ? 1 : SMOOTH_RATIO;
}
