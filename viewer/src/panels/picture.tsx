import { useEffect, useState } from "preact/hooks";
import { pictureUrl } from "../data/api.ts";

interface Props {
  readonly path: string;
  readonly alt: string;
  /** The framed region: left, top, right, bottom as shares. */
  readonly box?: readonly number[] | undefined;
  /** Zooms to the framed region if it is small. */
  readonly isClose?: boolean;
}

/** Share of a zoomed picture that the region fills; beyond it pixels become visible. */
const FILLS = 0.4;
const CLOSEST = 1.8;

/** A picture of the memory with the thing in it framed. */
export function Picture({ path, alt, box, isClose = false }: Props) {
  const [url, setUrl] = useState<string | null>(null);
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    let isOver = false;
    setGone(false);
    pictureUrl(path).then(
      (found) => !isOver && setUrl(found),
      () => !isOver && setGone(true),
    );
    return () => {
      isOver = true;
    };
  }, [path]);
  if (isGone) return <span class="picture none">no picture</span>;
  return (
    <span class="picture">
      {url ? (
        <span class="shift" style={isClose && box ? closeTo(box) : undefined}>
          <img src={url} alt={alt} />
          {box && (
            <span
              class="frame"
              style={{
                left: `${box[0]! * 100}%`,
                top: `${box[1]! * 100}%`,
                width: `${(box[2]! - box[0]!) * 100}%`,
                height: `${(box[3]! - box[1]!) * 100}%`,
              }}
            />
          )}
        </span>
      ) : (
        <span class="blank" />
      )}
    </span>
  );
}

/** Enlarges the picture about the centre of the box, within its own edges. */
function closeTo(box: readonly number[]): { transform: string } {
  const [left = 0, top = 0, right = 1, bottom = 1] = box;
  const by = Math.min(Math.max(FILLS / Math.max(right - left, bottom - top, 0.01), 1), CLOSEST);
  const shift = (middle: number) => Math.min(Math.max(0.5 - by * middle, 1 - by), 0) * 100;
  return {
    transform: `translate(${shift((left + right) / 2)}%, ${shift((top + bottom) / 2)}%) scale(${by})`,
  };
}
