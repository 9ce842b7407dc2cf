import { effect, untracked } from "@preact/signals";
import CameraControls from "camera-controls";
import {
  Box3,
  ColorManagement,
  LinearSRGBColorSpace,
  Matrix4,
  PerspectiveCamera,
  Plane,
  Quaternion,
  Raycaster,
  Scene,
  Sphere,
  Spherical,
  Vector2,
  Vector3,
  Vector4,
  WebGLRenderer,
} from "three";
import { believed } from "../data/belief.ts";
import { placeAt, type Row } from "../data/rows.ts";
import { shownStep } from "../data/runs.ts";
import * as store from "../data/store.ts";
import { ExplorationView } from "./exploration.ts";
import { EyeDome } from "./eye-dome.ts";
import { boundsOf, overview } from "./framing.ts";
import { Ground } from "./ground.ts";
import { labelsFor } from "./label-choice.ts";
import { Labels } from "./labels.ts";
import { Pace, type Rung, WHOLE } from "./pace.ts";
import { Picker } from "./pick.ts";
import { PointCloud } from "./points.ts";
import { leastRatio, MOST_RATIO } from "./ratio.ts";
import { RouteLine } from "./route-line.ts";
import { type Mark, Solids } from "./solids.ts";
import { sharedUniforms, themeUniforms } from "./uniforms.ts";
import { type View, viewsOf } from "./views.ts";
import { Ways } from "./ways.ts";

// Only the needed parts: all of three would make the page half as large again.
CameraControls.install({
  THREE: { Vector2, Vector3, Vector4, Quaternion, Matrix4, Spherical, Box3, Sphere, Raycaster },
});
ColorManagement.enabled = false;

const FAR_M = 400;
const COLOURINGS = ["class", "age", "confidence"] as const;

/** The map on the screen. It draws after changes, not sixty times a second. */
export class Stage {
  readonly renderer: WebGLRenderer;
  readonly controls: CameraControls;
  readonly camera = new PerspectiveCamera(42, 1, FAR_M / 4_000, FAR_M);
  readonly solids: Solids;
  readonly points: PointCloud;
  readonly labels = new Labels();
  readonly picker = new Picker();
  /** Milliseconds of script the last frame took, for the bench. */
  scriptMs = 0;
  frames = 0;
  /** The same for what the memory believed. */
  readonly #believedSolids: Solids;
  readonly #believedPicker = new Picker();
  readonly #shared = sharedUniforms();
  readonly #ground: Ground;
  readonly #ways: Ways;
  readonly #exploration = new ExplorationView();
  readonly #eyeDome: EyeDome;
  readonly #below = new Scene();
  readonly #above = new Scene();
  readonly #host: HTMLElement;
  readonly #route = new RouteLine();
  readonly #pace: Pace;
  readonly #leastRatio: number;
  #storey: readonly [number, number] = [-1e9, 1e9];
  #isFramed = false;
  #hasMoved = false;
  readonly #stop: (() => void)[] = [];

  constructor(host: HTMLElement) {
    this.#host = host;
    this.renderer = new WebGLRenderer({ antialias: false, powerPreference: "high-performance" });
    this.#leastRatio = leastRatio(this.renderer.getContext());
    this.renderer.outputColorSpace = LinearSRGBColorSpace;
    this.renderer.autoClear = false;
    this.renderer.info.autoReset = false;
    this.renderer.domElement.className = "map";
    host.append(this.renderer.domElement, this.labels.canvas);
    this.camera.up.set(0, 0, 1);
    this.controls = new CameraControls(this.camera, this.renderer.domElement);
    this.controls.updateCameraUp();
    this.controls.maxPolarAngle = 1.5;
    this.controls.minDistance = 0.6;
    this.controls.dollyToCursor = true;
    this.controls.smoothTime = 0.22;
    this.solids = new Solids(this.#shared);
    this.#believedSolids = new Solids(this.#shared);
    this.points = new PointCloud(this.#shared);
    this.#ground = new Ground(this.#shared);
    this.#ways = new Ways(this.#shared);
    this.#eyeDome = new EyeDome(this.#shared);
    this.#below.add(this.#ground.floors, this.points.object);
    this.#above.add(
      this.#ground.object,
      this.#ways.object,
      this.solids.object,
      this.#believedSolids.object,
      this.#route,
      this.#exploration.object,
    );
    this.#ground.floors.renderOrder = -1;
    this.controls.addEventListener("controlstart", () => {
      this.#hasMoved = true;
    });
    this.#pace = new Pace({
      update: (seconds) => this.controls.update(seconds),
      draw: (rung) => this.draw(rung),
    });
    for (const event of ["controlstart", "control", "transitionstart"] as const)
      this.controls.addEventListener(event, () => this.#pace.wake());
    this.#follow();
    const resize = new ResizeObserver(() => this.#fitAgain());
    resize.observe(host);
    this.#stop.push(() => resize.disconnect());
  }

  dispose(): void {
    this.#pace.stop();
    for (const stop of this.#stop) stop();
    this.controls.dispose();
    this.renderer.dispose();
  }

  redraw(): void {
    this.#pace.redraw();
  }

  get hasMovedCamera(): boolean {
    return this.#hasMoved;
  }

  cameraText(): string {
    const [eye, target] = [this.controls.getPosition(new Vector3()), this.controls.getTarget(new Vector3())];
    return [...eye.toArray(), ...target.toArray()].map((n) => n.toFixed(2)).join(",");
  }

  setCamera([x, y, z, atX, atY, atZ]: readonly number[]): void {
    this.#isFramed = true;
    this.#hasMoved = true;
    void this.controls.setLookAt(x!, y!, z!, atX!, atY!, atZ!, false);
    this.redraw();
  }

  /** Shows everything known, at an angle from above. */
  frameAll(animate = true): void {
    const box = boundsOf(store.loaded.value, this.#ways.walkers);
    if (box.isEmpty()) return;
    const { width, height } = this.#host.getBoundingClientRect();
    const { eye, middle } = overview(box, this.#views(width, height)[0]!, this.camera.fov);
    // A smaller depth range has a better resolution.
    this.camera.far = Math.max(FAR_M, 4 * eye.distanceTo(middle));
    this.camera.near = this.camera.far / 4_000;
    this.camera.updateProjectionMatrix();
    void this.controls.setLookAt(eye.x, eye.y, eye.z, middle.x, middle.y, middle.z, animate);
    this.redraw();
  }

  /** Moves to things without changing the viewing direction. */
  flyTo(rows: readonly Row[], time: number): void {
    if (rows.length === 0) return;
    const box = new Box3();
    for (const row of rows) {
      const { x, y, z } = placeAt(row, time);
      box.expandByPoint(new Vector3(x, y, z));
    }
    const middle = box.getCenter(new Vector3());
    const reach = Math.max(box.getSize(new Vector3()).length(), 3.2);
    const away = this.controls.getPosition(new Vector3()).sub(this.controls.getTarget(new Vector3()));
    const wanted = Math.min(away.length(), reach * 2.1);
    away.setLength(Math.max(wanted, 3));
    void this.controls.setLookAt(
      middle.x + away.x,
      middle.y + away.y,
      middle.z + away.z,
      middle.x,
      middle.y,
      middle.z,
      true,
    );
  }

  /** Turns to a place, keeping the distance. */
  lookAt({ x, y, z }: { x: number; y: number; z: number }): void {
    void this.controls.setTarget(x, y, z, true);
    this.redraw();
  }

  /** What is under a point of the page: a name, a thing, or the ground. */
  pick(clientX: number, clientY: number): { row: Row } | { ground: Vector3 } | null {
    const rect = this.renderer.domElement.getBoundingClientRect();
    const [x, y] = [clientX - rect.left, clientY - rect.top];
    const named = this.labels.at(x, y);
    const views = this.#views(rect.width, rect.height);
    const view = views.find(
      ({ left, top, width, height }) => x >= left && x < left + width && y >= top && y < top + height,
    );
    if (view === undefined) return null;
    const { time, left, top, width, height, isBelieved } = view;
    const byName = named === null ? undefined : store.rowAt(named, time);
    if (byName) return { row: byName };
    const caster = new Raycaster();
    this.#aim(width, height);
    caster.setFromCamera(
      new Vector2(((x - left) / width) * 2 - 1, 1 - ((y - top) / height) * 2),
      this.camera,
    );
    const picker = isBelieved ? this.#believedPicker : this.picker;
    const found = picker.at(caster.ray, time, this.#storey);
    if (found) return { row: found.row };
    const floorZ =
      this.#storey[0] > -1e8 ? this.#storey[0] + 0.3 : (store.loaded.value?.grounds[0]?.floorZ ?? 0);
    const ground = caster.ray.intersectPlane(new Plane(new Vector3(0, 0, 1), -floorZ), new Vector3());
    return ground ? { ground } : null;
  }

  /** The page position of a place in the world, in the last of two views. */
  screenOf(x: number, y: number, z: number): { x: number; y: number } {
    const rect = this.renderer.domElement.getBoundingClientRect();
    const { width, height, left, top } = this.#views(rect.width, rect.height).at(-1)!;
    this.#aim(width, height);
    const point = new Vector3(x, y, z).project(this.camera);
    return {
      x: rect.left + left + ((point.x + 1) / 2) * width,
      y: rect.top + top + ((1 - point.y) / 2) * height,
    };
  }

  #follow(): void {
    const on = (run: () => void) => this.#stop.push(effect(run));
    let held: store.Loaded | null = null;
    on(() => {
      const found = store.loaded.value;
      if (found === null) return;
      // The map arrives in parts; existing ones are not rebuilt.
      const isNew = (part: keyof store.Loaded) => held === null || held[part] !== found[part];
      if (isNew("chunks") || isNew("scene")) this.points.set(found);
      if (isNew("rows")) {
        this.solids.set(found.rows);
        this.picker.set(found.rows);
      }
      if (isNew("chunks") || isNew("scene") || isNew("grounds")) this.#ground.set(found);
      if (isNew("rows") || isNew("ways") || isNew("scene")) this.#ways.set(found);
      held = found;
      this.#mark();
      if (!this.#isFramed && found.scene.span !== null) {
        this.#isFramed = true;
        untracked(() => this.frameAll(false));
      }
      this.redraw();
    });
    on(() => {
      const rows = believed.value?.rows ?? [];
      this.#believedSolids.set(rows);
      this.#believedPicker.set(rows);
      this.#mark();
    });
    on(() => {
      themeUniforms(this.#shared, store.theme.value);
      this.renderer.setClearColor(this.#shared.uPaper.value, 1);
      this.redraw();
    });
    on(() => {
      this.#shared.uColouring.value = COLOURINGS.indexOf(store.colouring.value);
      this.#shared.uAgeSpan.value = Math.max(600, 0.6 * (store.axis.value.to - store.axis.value.from));
      this.points.object.visible = store.surface.value;
      for (const solids of [this.solids, this.#believedSolids]) solids.asGlass(store.surface.value);
      this.#ground.asGlass(store.surface.value);
      this.#ground.isStale = store.stale.value;
      this.redraw();
    });
    on(() => {
      this.#storey = store.shownHeights.value;
      this.#shared.uStorey.value.set(...this.#storey);
      this.redraw();
    });
    on(() => {
      void [store.lit.value, store.selected.value, store.hovered.value];
      this.#mark();
    });
    on(() => {
      this.#route.set(store.route.value?.points ?? []);
      this.redraw();
    });
    on(() => {
      const { value: time } = store.time;
      const going = store.replay.value === null ? null : this.#ways.behind(store.replay.value, time);
      if (going) {
        this.#hasMoved = true;
        const { eye, target } = going;
        void this.controls.setLookAt(eye.x, eye.y, eye.z, target.x, target.y, target.z, true);
      }
      this.redraw();
    });
    on(() => {
      this.#exploration.set(store.run.value, shownStep());
      this.redraw();
    });
    on(() => {
      void [store.other.value === null, store.belief.value];
      untracked(() => this.#fitAgain());
    });
  }

  /** Until a user has moved the map, it is fitted to the available room. */
  #fitAgain(): void {
    if (this.#isFramed && !this.#hasMoved && store.selected.peek() === null) this.frameAll(false);
    this.redraw();
  }

  #mark(): void {
    const [lit, selected, hovered] = [store.lit.peek(), store.selected.peek(), store.hovered.peek()];
    this.#shared.uHasLit.value = lit.size > 0 ? 1 : 0;
    const marks = new Map<string, Mark>();
    if (hovered !== null) marks.set(hovered, 3);
    for (const track of lit) marks.set(track, 1);
    if (selected !== null) marks.set(selected, 2);
    for (const solids of [this.solids, this.#believedSolids]) solids.mark(marks);
    this.redraw();
  }

  /** Draws one frame now, at full quality by default. */
  draw(rung: Rung = WHOLE): void {
    const began = performance.now();
    const { width, height } = this.#host.getBoundingClientRect();
    if (width === 0 || height === 0) return;
    const full = Math.min(Math.max(devicePixelRatio, this.#leastRatio), MOST_RATIO);
    const ratio = full * rung.ratio;
    const size = this.renderer.getSize(new Vector2());
    if (size.x !== width || size.y !== height || this.renderer.getPixelRatio() !== ratio) {
      this.renderer.setPixelRatio(ratio);
      this.renderer.setSize(width, height, false);
    }
    this.points.budget(rung.points);
    this.renderer.info.reset();
    this.labels.begin(width, height, Math.min(devicePixelRatio, MOST_RATIO), rung.names);
    for (const view of this.#views(width, height)) this.#view(view, height, ratio, rung);
    this.frames++;
    this.scriptMs = performance.now() - began;
  }

  #view(view: View, wholeHeight: number, ratio: number, rung: Rung): void {
    const { renderer } = this;
    const { left, top, width, height, time, isBelieved = false } = view;
    this.#aim(width, height);
    this.#shared.uTime.value = time;
    this.#shared.uEye.value.copy(this.camera.position);
    const pixelsAMetre = (height * ratio) / (2 * Math.tan((this.camera.fov * Math.PI) / 360));
    this.points.scale(pixelsAMetre);
    for (const solids of [this.solids, this.#believedSolids]) solids.detail(rung.boxes, pixelsAMetre);
    this.solids.object.visible = !isBelieved;
    this.#believedSolids.object.visible = isBelieved;
    this.#ways.moveTo(time, this.#storey);
    const bottom = wholeHeight - top - height;
    renderer.setViewport(left, bottom, width, height);
    renderer.setScissor(left, bottom, width, height);
    renderer.setScissorTest(true);
    renderer.clear();
    const pixels = new Vector2(Math.round(width * ratio), Math.round(height * ratio));
    if (rung === WHOLE) this.#eyeDome.render(renderer, this.#below, this.camera, pixels);
    else renderer.render(this.#below, this.camera);
    renderer.render(this.#above, this.camera);
    const { labels, colours } = labelsFor(
      isBelieved ? believed.value : store.loaded.value,
      time,
      this.#ways.walkers,
      this.#storey,
    );
    this.labels.draw(
      [...labels, ...this.#exploration.labels],
      this.camera,
      { left, top, width, height },
      colours,
    );
  }

  #aim(width: number, height: number): void {
    const aspect = width / height;
    if (this.camera.aspect !== aspect) {
      this.camera.aspect = aspect;
      this.camera.updateProjectionMatrix();
    }
  }

  #views(width: number, height: number): View[] {
    return viewsOf(width, height, store.time.value, store.other.value, store.belief.value);
  }
}
