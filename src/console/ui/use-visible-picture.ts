import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * A picture that is loaded when its frame becomes visible; the frame stays empty if loading fails. The address belongs
 * to this page and ends with it. `key` identifies the picture.
 */
export function useVisiblePicture(load: (signal: AbortSignal) => Promise<Blob>, key: string) {
  const frame = useRef<HTMLSpanElement>(null);
  const [url, setUrl] = useState<string>();
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let shown: string | undefined;
    const show = async (): Promise<void> => {
      const picture = await latest.current(signal);
      if (signal.aborted) return;
      shown = URL.createObjectURL(picture);
      setUrl(shown);
    };
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        show().catch(() => undefined);
      },
      { rootMargin: '300px' },
    );
    if (frame.current !== null) observer.observe(frame.current);
    return () => {
      observer.disconnect();
      controller.abort();
      if (shown !== undefined) URL.revokeObjectURL(shown);
      setUrl(undefined);
    };
  }, [key]);
  return { frame, url };
}
