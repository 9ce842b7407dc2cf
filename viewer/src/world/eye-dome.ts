import {
  DepthTexture,
  LinearFilter,
  Mesh,
  NearestFilter,
  OrthographicCamera,
  type PerspectiveCamera,
  PlaneGeometry,
  Scene,
  ShaderMaterial,
  UnsignedIntType,
  Vector2,
  type WebGLRenderer,
  WebGLRenderTarget,
} from "three";
import type { Shared } from "./uniforms.ts";

const VERTEX = /* glsl */ `
varying vec2 vUv;
void main() {
  vUv = uv;
  gl_Position = vec4(position.xy, 0.0, 1.0);
}`;

/** Eye-dome lighting (Boucheny 2009): a pixel darkens by how far its neighbours are in front of it, in log depth. */
const FRAGMENT = /* glsl */ `
uniform sampler2D uColour, uDepth;
uniform vec2 uPixel;
uniform float uNear, uFar, uStrength;
varying vec2 vUv;

float logDepth(vec2 at) {
  float depth = texture2D(uDepth, at).x;
  return depth >= 1.0 ? -1.0 : log2(uNear * uFar / (uFar - depth * (uFar - uNear)));
}

void main() {
  float depth = texture2D(uDepth, vUv).x;
  vec4 colour = texture2D(uColour, vUv);
  float own = logDepth(vUv);
  float response = 0.0;
  if (own >= -0.5 && uStrength > 0.0) {
    vec2 reach[4];
    reach[0] = vec2(1.0, 0.0); reach[1] = vec2(-1.0, 0.0); reach[2] = vec2(0.0, 1.0); reach[3] = vec2(0.0, -1.0);
    for (int n = 0; n < 4; n++) {
      float other = logDepth(vUv + 1.4 * uPixel * reach[n]);
      if (other > -0.5) response += max(0.0, own - other);
    }
  }
  float shade = exp(-response * 0.25 * uStrength);
  gl_FragColor = vec4(colour.rgb * mix(0.35, 1.0, shade), 1.0);
  gl_FragDepth = depth;
}`;

const STRENGTH = 26;

/** Draws a scene with its depth, shades it, and keeps the depth for later overlays. */
export class EyeDome {
  readonly #target: WebGLRenderTarget;
  readonly #material: ShaderMaterial;
  readonly #scene = new Scene();
  readonly #camera = new OrthographicCamera(-1, 1, 1, -1, 0, 1);

  constructor(shared: Shared) {
    this.#target = new WebGLRenderTarget(1, 1, { minFilter: NearestFilter, magFilter: LinearFilter });
    this.#target.depthTexture = new DepthTexture(1, 1, UnsignedIntType);
    this.#material = new ShaderMaterial({
      uniforms: {
        ...shared,
        uColour: { value: this.#target.texture },
        uDepth: { value: this.#target.depthTexture },
        uPixel: { value: new Vector2() },
        uNear: { value: 0.1 },
        uFar: { value: 100 },
        uStrength: { value: STRENGTH },
      },
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      depthTest: true,
      depthWrite: true,
    });
    this.#material.depthFunc = 1; // always
    this.#scene.add(new Mesh(new PlaneGeometry(2, 2), this.#material));
  }

  /** Into the renderer's current viewport; `pixels` is its size on the device. */
  render(renderer: WebGLRenderer, scene: Scene, camera: PerspectiveCamera, pixels: Vector2): void {
    this.#draw(renderer, [scene], camera, pixels);
    this.#show(renderer, camera, pixels, STRENGTH);
  }

  /** With fewer pixels and no shading, for a slow machine: the canvas keeps its size, because resizing is slow. */
  coarse(
    renderer: WebGLRenderer,
    scenes: readonly Scene[],
    camera: PerspectiveCamera,
    pixels: Vector2,
  ): void {
    this.#draw(renderer, scenes, camera, pixels);
    this.#show(renderer, camera, pixels, 0);
  }

  #draw(renderer: WebGLRenderer, scenes: readonly Scene[], camera: PerspectiveCamera, pixels: Vector2): void {
    if (this.#target.width !== pixels.x || this.#target.height !== pixels.y)
      this.#target.setSize(pixels.x, pixels.y);
    renderer.setRenderTarget(this.#target);
    renderer.clear();
    for (const scene of scenes) renderer.render(scene, camera);
    renderer.setRenderTarget(null);
  }

  #show(renderer: WebGLRenderer, camera: PerspectiveCamera, pixels: Vector2, strength: number): void {
    const { uniforms } = this.#material;
    uniforms["uPixel"]!.value.set(1 / pixels.x, 1 / pixels.y);
    uniforms["uNear"]!.value = camera.near;
    uniforms["uFar"]!.value = camera.far;
    uniforms["uStrength"]!.value = strength;
    renderer.render(this.#scene, this.#camera);
  }
}
