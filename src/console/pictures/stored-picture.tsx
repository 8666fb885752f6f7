import type { components, Docmill } from '@docmill/client';
import { FileText } from 'lucide-preact';
import { runLimited } from '../templates/thumbnail-limiter.ts';
import { useVisiblePicture } from '../ui/use-visible-picture.ts';

export type Asset = components['schemas']['Asset'];

const mediaTypes = { png: 'image/png', jpeg: 'image/jpeg', gif: 'image/gif', svg: 'image/svg+xml' } as const;

type PictureType = keyof typeof mediaTypes;

/** Assets may also be PDFs and other files that requests attach to documents and e-mails. */
export function isPictureType(type: Asset['type']): type is PictureType {
  return type in mediaTypes;
}

/** The bytes of a stored picture, with their type, because a browser draws an SVG only with it. */
export async function loadPicture(docmill: Docmill, { id, type }: Asset, signal?: AbortSignal): Promise<Blob> {
  return new Blob(
    [await docmill.assets.download(id, { signal })],
    isPictureType(type) ? { type: mediaTypes[type] } : {},
  );
}

interface StoredPictureProps {
  readonly docmill: Docmill;
  readonly asset: Asset;
}

/** A stored picture in a frame of fixed size, or an icon for any other file. */
export function StoredPicture({ docmill, asset }: StoredPictureProps) {
  if (isPictureType(asset.type)) return <LoadedPicture docmill={docmill} asset={asset} />;
  return (
    <span class="picture-frame">
      <FileText aria-hidden="true" />
    </span>
  );
}

/** Loads the picture when it becomes visible. */
function LoadedPicture({ docmill, asset }: StoredPictureProps) {
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
