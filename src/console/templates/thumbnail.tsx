import { useEffect, useRef, useState } from 'preact/hooks';
import { useDocmill } from '../session/session.ts';
import { PagePlaceholder } from './page-placeholder.tsx';
import { runLimited } from './thumbnail-limiter.ts';

interface ThumbnailProps {
  readonly id: string;
  /** Part of the address, so that the browser can cache the picture. */
  readonly version: number;
}

/** The first page of a version, loaded when it becomes visible. If there is none, an empty page remains. */
export function Thumbnail({ id, version }: ThumbnailProps) {
  const docmill = useDocmill();
  const frame = useRef<HTMLSpanElement>(null);
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let shown: string | undefined;
    const load = async (): Promise<void> => {
      const bytes = await runLimited(
        () => docmill.templates.thumbnail(id, { version }, { signal, maxRetries: 1 }),
        signal,
      );
      if (signal.aborted) return;
      shown = URL.createObjectURL(new Blob([bytes], { type: 'image/png' }));
      setUrl(shown);
    };
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        // A template with errors has no picture; its page explains why.
        load().catch(() => undefined);
      },
      { rootMargin: '300px' },
    );
    if (frame.current !== null) observer.observe(frame.current);
    return () => {
      observer.disconnect();
      controller.abort();
      if (shown !== undefined) URL.revokeObjectURL(shown);
    };
  }, [docmill, id, version]);
  return (
    <span class="thumbnail" ref={frame}>
      {url === undefined ? <PagePlaceholder /> : <img class="thumbnail-picture" src={url} alt="" />}
    </span>
  );
}
