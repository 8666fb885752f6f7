/** A template file of this computer that is previewed instead of the stored one. */
export interface FollowedFile {
  readonly name: string;
  /** Its bytes at the last reading: the file may change or vanish while they are sent. */
  readonly content: Blob;
  /** The browser reports when it is saved again; otherwise it must be dropped again. */
  readonly isFollowed: boolean;
}

const pollMs = 1_000;

interface ReadableFile {
  readonly name: string;
  readonly size: number;
  readonly lastModified: number;
  arrayBuffer(): Promise<ArrayBuffer>;
}

interface FollowOptions {
  readonly onChange: (file: FollowedFile) => void;
  readonly intervalMs?: number;
}

/**
 * Reads a file, and reads it again whenever it was saved, as long as there is a handle. Returns what ends it. A reading that fails,
 * as while a program replaces the file, is tried again.
 */
export function followFile(
  first: ReadableFile,
  handle: { getFile(): Promise<ReadableFile> } | undefined,
  { onChange, intervalMs = pollMs }: FollowOptions,
): () => void {
  let known = '';
  let isEnded = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const read = async (file: ReadableFile): Promise<void> => {
    const state = `${file.size} ${file.lastModified}`;
    if (state === known) return;
    const content = new Blob([await file.arrayBuffer()]);
    if (isEnded) return;
    known = state;
    onChange({ name: file.name, content, isFollowed: handle !== undefined });
  };
  const poll = async (): Promise<void> => {
    try {
      if (handle !== undefined) await read(await handle.getFile());
    } catch {
      // It is being replaced, or is not there any more: the last bytes stay.
    }
    if (!isEnded) timer = setTimeout(() => void poll(), intervalMs);
  };
  const start = async (): Promise<void> => {
    try {
      await read(first);
    } catch {
      // The same.
    }
    if (handle !== undefined && !isEnded) timer = setTimeout(() => void poll(), intervalMs);
  };
  void start();
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}
