import {
  type Document,
  type Material,
  type Mesh,
  type Buffer as ModelBuffer,
  Document as NewDocument,
  NodeIO,
  Primitive,
} from "@gltf-transform/core";
import type { MemoryReader } from "../../memory/index.ts";
import { writeWhole } from "../whole-file.ts";
import { type CloudPoints, readCloud } from "../world/cloud.ts";
import { type Colour, colourOf, colourOfName } from "../world/colours.ts";
import { readWorld } from "../world/read-world.ts";
import { readStoreys, WALL_HEIGHT_M, type WallBlock, wallBlocks } from "../world/storeys.ts";
import { triangulate } from "../world/triangulate.ts";
import type { World, WorldRoom, WorldThing } from "../world/world.ts";
import { type ExportOptions, type ExportReport, MAX_POINTS } from "./format.ts";

/** glTF is y-up and looks along -z: the whole scene is rotated by a quarter turn about x. */
const Y_UP_FROM_Z_UP: [number, number, number, number] = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];
const WALL: Colour = [0.78, 0.79, 0.82];

/**
 * The memory as a 3D model for any viewer: floors of rooms, walls, surface points, and a coloured, named box per
 * thing, with its ids, times and attributes in `extras`.
 */
export async function exportGlb(
  reader: MemoryReader,
  path: string,
  options: ExportOptions,
): Promise<ExportReport> {
  const world = await readWorld(reader, options);
  const walls = (await readStoreys(reader, options)).flatMap(wallBlocks);
  const cloud = await readCloud(reader, world.graph, { ...options, most: MAX_POINTS });
  const model = new Model(world);
  for (const room of world.rooms) model.room(room);
  if (walls.length > 0) model.walls(walls);
  if (cloud.count > 0) model.points(cloud.points());
  for (const thing of world.things) model.thing(thing);
  const bytes = await new NodeIO().writeBinary(model.document);
  return {
    bytes: await writeWhole(path, [bytes], options.signal),
    counts: {
      rooms: world.rooms.length,
      things: world.things.length,
      walls: walls.length,
      points: cloud.count,
    },
    notes:
      walls.length === 0 || options.atUs === undefined
        ? []
        : ["walls are as last known, whatever the time asked for"],
  };
}

class Model {
  readonly document: Document = new NewDocument();
  /** Created with the first content: an empty one is not valid. */
  #bytes: ModelBuffer | undefined;
  readonly #root;
  readonly #boxes = new Map<string, Mesh>();
  #cube: Primitive | undefined;

  constructor({ atUs }: World) {
    this.document.getRoot().getAsset().generator = "Loci";
    this.#root = this.document
      .createNode("world")
      .setRotation(Y_UP_FROM_Z_UP)
      .setExtras({ atUs, frame: "world", units: "metres, z up below this node" });
    const scene = this.document.createScene("memory").addChild(this.#root);
    this.document.getRoot().setDefaultScene(scene);
  }

  room({ id, name, floor, ring, areaM2 }: WorldRoom): void {
    const triangles = triangulate(ring);
    if (triangles.length === 0) return;
    const primitive = this.#primitive(
      new Float32Array(ring.flatMap(({ x, y, z }) => [x, y, z])),
      new Float32Array(ring.flatMap(() => [0, 0, 1])),
      new Uint32Array(triangles),
    ).setMaterial(this.#material(`floor of ${name}`, pale(colourOfName(name))).setDoubleSided(true));
    this.#add(name, this.document.createMesh(name).addPrimitive(primitive), {
      kind: "room",
      id,
      floor,
      areaM2,
    });
  }

  walls(blocks: readonly WallBlock[]): void {
    const positions = new Float32Array(blocks.length * CUBE.positions.length);
    const normals = new Float32Array(positions.length);
    const indices = new Uint32Array(blocks.length * CUBE.indices.length);
    blocks.forEach(({ minX, minY, maxX, maxY, floorZ }, n) => {
      const at = n * CUBE.positions.length;
      for (let i = 0; i < CUBE.positions.length; i += 3) {
        positions[at + i] = minX + (CUBE.positions[i]! + 0.5) * (maxX - minX);
        positions[at + i + 1] = minY + (CUBE.positions[i + 1]! + 0.5) * (maxY - minY);
        positions[at + i + 2] = floorZ + (CUBE.positions[i + 2]! + 0.5) * WALL_HEIGHT_M;
      }
      normals.set(CUBE.normals, at);
      CUBE.indices.forEach((index, i) => {
        indices[n * CUBE.indices.length + i] = at / 3 + index;
      });
    });
    const primitive = this.#primitive(positions, normals, indices).setMaterial(this.#material("wall", WALL));
    this.#add("walls", this.document.createMesh("walls").addPrimitive(primitive), { kind: "walls" });
  }

  points({ count, positions, colours }: CloudPoints): void {
    const rgba = new Uint8Array(count * 4).fill(255);
    for (let i = 0; i < count; i++) rgba.set(colours.subarray(i * 3, i * 3 + 3), i * 4);
    const colour = this.document
      .createAccessor()
      .setType("VEC4")
      .setNormalized(true)
      .setArray(rgba)
      .setBuffer(this.#buffer());
    const primitive = this.document
      .createPrimitive()
      .setMode(Primitive.Mode["POINTS"]!)
      .setAttribute("POSITION", this.#vectors(positions.slice()))
      .setAttribute("COLOR_0", colour)
      .setMaterial(this.#material("surface", [1, 1, 1]));
    this.#add("surface", this.document.createMesh("surface").addPrimitive(primitive), { kind: "surface" });
  }

  thing(thing: WorldThing): void {
    const { worldFromBox, sizeM, name, ...rest } = thing;
    const { p, q } = worldFromBox;
    this.#add(name, this.#box(colourOf(thing)), { kind: "thing", ...rest })
      .setTranslation([p.x, p.y, p.z])
      .setRotation([q.x, q.y, q.z, q.w])
      .setScale([sizeM.x, sizeM.y, sizeM.z]);
  }

  /** Things of one colour share their box mesh. */
  #box(colour: Colour): Mesh {
    const key = colour.join();
    let mesh = this.#boxes.get(key);
    if (mesh === undefined) {
      this.#cube ??= this.#primitive(CUBE.positions, CUBE.normals, CUBE.indices);
      const primitive = this.#cube.clone().setMaterial(this.#material("thing", colour));
      mesh = this.document.createMesh("box").addPrimitive(primitive);
      this.#boxes.set(key, mesh);
    }
    return mesh;
  }

  #add(name: string, mesh: Mesh, extras: Record<string, unknown>) {
    const node = this.document.createNode(name).setMesh(mesh).setExtras(extras);
    this.#root.addChild(node);
    return node;
  }

  #primitive(
    positions: Float32Array<ArrayBuffer>,
    normals: Float32Array<ArrayBuffer>,
    indices: Uint32Array<ArrayBuffer>,
  ) {
    const corners = this.document
      .createAccessor()
      .setType("SCALAR")
      .setArray(indices)
      .setBuffer(this.#buffer());
    return this.document
      .createPrimitive()
      .setAttribute("POSITION", this.#vectors(positions))
      .setAttribute("NORMAL", this.#vectors(normals))
      .setIndices(corners);
  }

  #vectors(values: Float32Array<ArrayBuffer>) {
    return this.document.createAccessor().setType("VEC3").setArray(values).setBuffer(this.#buffer());
  }

  #buffer(): ModelBuffer {
    this.#bytes ??= this.document.createBuffer();
    return this.#bytes;
  }

  #material(name: string, [r, g, b]: Colour): Material {
    return this.document
      .createMaterial(name)
      .setBaseColorFactor([linear(r), linear(g), linear(b), 1])
      .setMetallicFactor(0)
      .setRoughnessFactor(0.9);
  }
}

/** A cube of one metre about the origin; each face has its own corners, so that edges are sharp. */
const CUBE = (() => {
  const [positions, normals, indices]: number[][] = [[], [], []];
  for (const axis of [0, 1, 2]) {
    for (const side of [-1, 1]) {
      const first = positions!.length / 3;
      for (const [u, v] of [
        [-1, -1],
        [side, -side],
        [1, 1],
        [-side, side],
      ] as const) {
        const corner = [0, 0, 0];
        corner[axis] = side / 2;
        corner[(axis + 1) % 3] = u / 2;
        corner[(axis + 2) % 3] = v / 2;
        positions!.push(...corner);
        normals!.push(...[0, 1, 2].map((other) => (other === axis ? side : 0)));
      }
      indices!.push(first, first + 1, first + 2, first, first + 2, first + 3);
    }
  }
  return {
    positions: new Float32Array(positions!),
    normals: new Float32Array(normals!),
    indices: new Uint32Array(indices!),
  };
})();

function pale([r, g, b]: Colour): Colour {
  return [0.6 + 0.4 * r, 0.6 + 0.4 * g, 0.6 + 0.4 * b];
}

/** glTF's factors are linear light; ours are sRGB. */
function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}
