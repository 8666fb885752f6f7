/** A local template file that is previewed instead of the stored one. */
export interface FollowedFile {
  readonly name: string;
  /** The bytes last read; the file itself may change or vanish while they are sent. */
  readonly content: Blob;
  /** Whether the browser reports changes; otherwise the file must be dropped again. */
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
  /** The file cannot be read, and nothing will read it again. */
  readonly onUnreadable?: () => void;
  readonly intervalMs?: number;
}

/**
 * Reads a file, and reads it again after every save if there is a handle. Failed reads, such as while another program
 * replaces the file, are retried. Returns a function that stops it.
 */
export function followFile(
  first: ReadableFile,
  handle: { getFile(): Promise<ReadableFile> } | undefined,
  { onChange, onUnreadable, intervalMs = pollMs }: FollowOptions,
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
      // The file is being replaced or was deleted: keep the last bytes.
    }
    if (!isEnded) timer = setTimeout(() => void poll(), intervalMs);
  };
  const start = async (): Promise<void> => {
    try {
      await read(first);
    } catch {
      if (handle === undefined && !isEnded) onUnreadable?.();
    }
    if (handle !== undefined && !isEnded) timer = setTimeout(() => void poll(), intervalMs);
  };
  void start();
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}
