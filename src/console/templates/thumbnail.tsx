import { useDocmill } from '../session/session.ts';
import { useVisiblePicture } from '../ui/use-visible-picture.ts';
import { PagePlaceholder } from './page-placeholder.tsx';
import { runLimited } from './thumbnail-limiter.ts';

interface ThumbnailProps {
  readonly id: string;
  /** Part of the address, so that the browser can cache the picture. */
  readonly version: number;
}

/** The first page of a version. A template with errors has none; its page explains why, and an empty page remains. */
export function Thumbnail({ id, version }: ThumbnailProps) {
  const docmill = useDocmill();
  const { frame, url } = useVisiblePicture(async (signal) => {
    const load = () => docmill.templates.thumbnail(id, { version }, { signal, maxRetries: 1 });
    return new Blob([await runLimited(load, signal)], { type: 'image/png' });
  }, `${id} ${version}`);
  return (
    <span class="thumbnail" ref={frame}>
      {url === undefined ? <PagePlaceholder /> : <img class="thumbnail-picture" src={url} alt="" />}
    </span>
  );
}
