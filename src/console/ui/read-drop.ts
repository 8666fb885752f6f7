export interface DroppedFile {
  readonly file: File;
  /** Where the browser has one: it reads the file again when it was saved. */
  readonly handle?: FileSystemFileHandle | undefined;
}

/** The first file of a drop; undefined when there is none. Called while the event is handled, because the browser empties it afterwards. */
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
