import { BufferGeometry, Line, LineBasicMaterial, Vector3 } from "three";

/** The requested route, over the floor. */
export class RouteLine extends Line {
  constructor() {
    super(new BufferGeometry(), new LineBasicMaterial({ color: "#e58a12", linewidth: 2 }));
  }

  set(way: readonly { readonly x: number; readonly y: number; readonly z: number }[]): void {
    this.geometry.dispose();
    this.geometry = new BufferGeometry().setFromPoints(way.map(({ x, y, z }) => new Vector3(x, y, z + 0.08)));
    this.visible = way.length > 1;
  }
}
