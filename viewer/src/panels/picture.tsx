import { useEffect, useState } from "preact/hooks";
import { pictureUrl } from "../data/api.ts";

interface Props {
  readonly path: string;
  readonly alt: string;
  /** Where in the picture it is: left, top, right, bottom as shares. */
  readonly box?: readonly number[] | undefined;
}

/** A picture of the memory with the thing in it framed. */
export function Picture({ path, alt, box }: Props) {
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
      {url ? <img src={url} alt={alt} /> : <span class="blank" />}
      {url && box && (
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
  );
}
