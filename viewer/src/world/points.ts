import { BufferAttribute, BufferGeometry, Points, ShaderMaterial } from "three";
import { OPEN } from "../data/rows.ts";
import type { Loaded } from "../data/store.ts";
import { Strays } from "./strays.ts";
import type { Shared } from "./uniforms.ts";
import { WallField, wallEdges } from "./walls.ts";

const VERTEX = /* glsl */ `
uniform float uTime, uScale, uCubeM, uCut;
uniform vec2 uStorey;
uniform vec3 uEye;
attribute vec3 tint;
attribute float from;
attribute float wall;
varying vec3 vTint;
void main() {
  vec4 view = modelViewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * view;
  gl_PointSize = clamp(uCubeM * uScale / max(-view.z, 0.1), 1.5, 14.0);
  bool hidden = from > uTime || position.z < uStorey.x || position.z > min(uStorey.y, uStorey.x + uCut);
  if (wall > 0.0) {
    float angle = (wall - 1.0) / 253.0 * 6.2831853 - 3.1415927;
    vec2 inwards = vec2(cos(angle), sin(angle));
    // A wall that turns its back on the eye stands between it and the room: only its foot is drawn.
    if (dot(inwards, normalize(uEye.xy - position.xy)) < -0.02 && position.z > uStorey.x + 0.35) hidden = true;
  }
  if (hidden) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  vTint = tint;
}`;

const FRAGMENT = /* glsl */ `
uniform vec3 uPaper;
uniform float uIsDark, uHasLit;
varying vec3 vTint;
void main() {
  // The picture recedes a little, so that things and what is lit stand out before it.
  vec3 soft = mix(vTint, vec3(dot(vTint, vec3(0.3, 0.59, 0.11))), 0.18 + 0.25 * uHasLit);
  gl_FragColor = vec4(mix(soft, uPaper, (uIsDark > 0.5 ? 0.24 : 0.12) + 0.2 * uHasLit), 1.0);
}`;

/** Points above this height over their floor are ceiling, which is cut away. */
const CUT_M = 2.15;

/**
 * The surfaces of the map in one draw call. Coarse levels of every chunk come first, so that drawing a prefix draws
 * everything with fewer points.
 */
export class PointCloud {
  readonly object: Points;
  /** The number of points that hold one per cube of `cubeM`, over all chunks. */
  #levels: { cubeM: number; points: number }[] = [];
  readonly #material: ShaderMaterial;

  constructor(shared: Shared) {
    this.#material = new ShaderMaterial({
      uniforms: { ...shared, uScale: { value: 1 }, uCubeM: { value: 0.06 }, uCut: { value: CUT_M } },
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
    });
    this.object = new Points(new BufferGeometry(), this.#material);
    this.object.frustumCulled = false;
  }

  get count(): number {
    return this.#levels.at(-1)?.points ?? 0;
  }

  set({ chunks, originUs, scene }: Loaded): void {
    const blocks = Array.from(chunks.values(), ({ block }) => block);
    const walls = new WallField(wallEdges(scene));
    const total = blocks.reduce((sum, { count }) => sum + count, 0);
    const position = new Float32Array(3 * total);
    const tint = new Uint8Array(4 * total);
    const from = new Float32Array(total);
    const wall = new Uint8Array(total);
    const levels = Math.max(0, ...blocks.map((block) => block.levels.length));
    const isWhole = blocks.every((block) => block.count === block.total);
    const strays = isWhole ? new Strays(blocks) : null;
    this.#levels = [];
    let at = 0;
    for (let level = 0; level < levels; level++) {
      let cubeM = 0;
      for (const block of blocks) {
        const first = level === 0 ? 0 : Math.min(block.levels[level - 1]?.points ?? block.count, block.count);
        const last = Math.min(block.levels[level]?.points ?? block.count, block.count);
        cubeM = Math.max(cubeM, block.levels[level]?.cubeM ?? 0);
        const times = block.pieces.map(({ fromUs }) => (fromUs - originUs) / 1e6);
        const { origin, unitM } = block;
        for (let n = first; n < last; n++, at++) {
          const x = origin.x + unitM * block.position[3 * n]!;
          const y = origin.y + unitM * block.position[3 * n + 1]!;
          position[3 * at] = x;
          position[3 * at + 1] = y;
          position[3 * at + 2] = origin.z + unitM * block.position[3 * n + 2]!;
          tint[4 * at] = block.colour[3 * n]!;
          tint[4 * at + 1] = block.colour[3 * n + 1]!;
          tint[4 * at + 2] = block.colour[3 * n + 2]!;
          from[at] = strays?.isStray(block, n) ? OPEN : times[block.piece[n]!]!;
          wall[at] = walls.codeAt(x, y);
        }
      }
      if (at > (this.#levels.at(-1)?.points ?? 0)) this.#levels.push({ cubeM, points: at });
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(position, 3));
    geometry.setAttribute("tint", new BufferAttribute(tint, 4, true));
    geometry.setAttribute("from", new BufferAttribute(from, 1));
    geometry.setAttribute("wall", new BufferAttribute(wall, 1));
    this.object.geometry.dispose();
    this.object.geometry = geometry;
    this.budget(Infinity);
  }

  /** Draws the finest level with no more than this many points. */
  budget(points: number): void {
    const level = this.#levels.findLast((one) => one.points <= points) ?? this.#levels[0];
    if (!level) return;
    this.object.geometry.setDrawRange(0, level.points);
    this.#material.uniforms["uCubeM"]!.value = level.cubeM;
  }

  /** Sets the pixels per metre at one metre's distance. */
  scale(pixels: number): void {
    this.#material.uniforms["uScale"]!.value = pixels * 1.5;
  }
}
