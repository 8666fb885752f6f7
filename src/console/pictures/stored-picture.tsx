import type { components, Docmill } from '@docmill/client';
import { runLimited } from '../templates/thumbnail-limiter.ts';
import { useVisiblePicture } from '../ui/use-visible-picture.ts';

export type Asset = components['schemas']['Asset'];

const mediaTypes = { png: 'image/png', jpeg: 'image/jpeg', gif: 'image/gif', svg: 'image/svg+xml' } as const;

/** The bytes of a stored picture, with their type, because a browser draws an SVG only with it. */
export async function loadPicture(docmill: Docmill, { id, type }: Asset, signal?: AbortSignal): Promise<Blob> {
  return new Blob([await docmill.assets.download(id, { signal })], { type: mediaTypes[type] });
}

interface StoredPictureProps {
  readonly docmill: Docmill;
  readonly asset: Asset;
}

/** A stored picture in a frame of fixed size, loaded when it becomes visible. */
export function StoredPicture({ docmill, asset }: StoredPictureProps) {
  const { frame, url } = useVisiblePicture(
    (signal) => runLimited(() => loadPicture(docmill, asset, signal), signal),
    `${asset.id} ${asset.checksum}`,
  );
  return (
    <span class="picture-frame" ref={frame}>
      {url !== undefined && <img src={url} alt="" />}
    </span>
  );
}
