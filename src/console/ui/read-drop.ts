export interface DroppedFile {
  readonly file: File;
  /** If the browser provides one, the file can be read again after it is saved. */
  readonly handle?: FileSystemFileHandle | undefined;
}

/** Whether the browser can read a dropped or chosen file again after it is saved. */
export const canReadAgain = (): boolean => isSecureContext && 'getAsFileSystemHandle' in DataTransferItem.prototype;

/**
 * The first dropped file; undefined if there is none. Must be called during the event, because the browser clears the
 * data afterwards.
 */
export async function readDrop({ dataTransfer }: DragEvent): Promise<DroppedFile | undefined> {
  const file = dataTransfer?.files[0];
  const item = dataTransfer?.items[0];
  if (file === undefined) return undefined;
  const handle = item !== undefined && 'getAsFileSystemHandle' in item ? await fileHandleOf(item) : undefined;
  return { file, handle };
}

interface HandleSource {
  getAsFileSystemHandle(): Promise<FileSystemHandle | null>;
}

async function fileHandleOf(item: DataTransferItem): Promise<FileSystemFileHandle | undefined> {
  const handle = await (item as unknown as HandleSource).getAsFileSystemHandle().catch(() => null);
  return handle instanceof FileSystemFileHandle ? handle : undefined;
}
