/** The parts of messages that we use, with ROS 2's names. */

export interface RosTime {
  readonly sec: number;
  readonly nsec?: number;
  readonly nanosec?: number;
}

export interface RosHeader {
  readonly stamp: RosTime;
  readonly frame_id: string;
}

export interface RosImage {
  readonly header: RosHeader;
  readonly width: number;
  readonly height: number;
  readonly encoding: string;
  readonly is_bigendian: number;
  readonly step: number;
  readonly data: Uint8Array;
}

export interface RosCompressedImage {
  readonly header: RosHeader;
  readonly format: string;
  readonly data: Uint8Array;
}

export interface RosCameraInfo {
  readonly header: RosHeader;
  readonly width: number;
  readonly height: number;
  readonly distortion_model?: string;
  readonly d?: ArrayLike<number>;
  readonly D?: ArrayLike<number>;
  readonly k?: ArrayLike<number>;
  readonly K?: ArrayLike<number>;
  readonly p?: ArrayLike<number>;
  readonly P?: ArrayLike<number>;
}

export interface RosPointCloud {
  readonly header: RosHeader;
  readonly width: number;
  readonly height: number;
  readonly fields: readonly { name: string; offset: number; datatype: number; count: number }[];
  readonly is_bigendian: boolean;
  readonly point_step: number;
  readonly row_step: number;
  readonly data: Uint8Array;
}

interface RosVector {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export interface RosPose {
  readonly position: RosVector;
  readonly orientation: RosVector & { readonly w: number };
}

export interface RosTransformStamped {
  readonly header: RosHeader;
  readonly child_frame_id: string;
  readonly transform: {
    readonly translation: RosVector;
    readonly rotation: RosVector & { readonly w: number };
  };
}

export interface RosOdometry {
  readonly header: RosHeader;
  readonly child_frame_id: string;
  readonly pose: { readonly pose: RosPose };
}

export interface RosNavSatFix {
  readonly header: RosHeader;
  readonly status: { readonly status: number };
  readonly latitude: number;
  readonly longitude: number;
  readonly altitude: number;
}

/** Whole microseconds; undefined for zero, which means an unset stamp. */
export function microsecondsOf({ sec, nsec, nanosec }: RosTime): number | undefined {
  const timeUs = sec * 1e6 + Math.floor((nsec ?? nanosec ?? 0) / 1000);
  return timeUs === 0 || !Number.isSafeInteger(timeUs) ? undefined : timeUs;
}
