import { Upload } from 'lucide-preact';
import { useId, useState } from 'preact/hooks';
import { readDrop } from './read-drop.ts';

interface DropzoneProps {
  readonly label: string;
  readonly hint?: string;
  /** In the format of the `accept` attribute: `.docx`, `.csv,.json`. */
  readonly accept: string;
  readonly onFile: (file: File, handle?: FileSystemFileHandle) => void;
}

interface FilePicker {
  showOpenFilePicker(options: {
    readonly types: readonly { readonly accept: Readonly<Record<string, readonly string[]>> }[];
  }): Promise<readonly FileSystemFileHandle[]>;
}

/** The browser's file chooser that returns handles, which frames of other pages may not open. */
const filePicker = (): FilePicker | undefined =>
  'showOpenFilePicker' in globalThis && globalThis.self === globalThis.top
    ? (globalThis as unknown as FilePicker)
    : undefined;

/**
 * A drop target with a button that opens a file chooser. If the browser supports it, the handle lets a page read the
 * file again later.
 */
export function Dropzone({ label, hint, accept, onFile }: DropzoneProps) {
  const id = useId();
  const [isOver, setIsOver] = useState(false);
  const [canPick, setCanPick] = useState(true);
  const drop = async (event: DragEvent): Promise<void> => {
    event.preventDefault();
    setIsOver(false);
    const dropped = await readDrop(event);
    if (dropped !== undefined) onFile(dropped.file, dropped.handle);
  };
  const pick = async (picker: FilePicker): Promise<void> => {
    const types = [{ accept: { 'application/octet-stream': accept.split(',') } }];
    try {
      const [handle] = await picker.showOpenFilePicker({ types });
      if (handle !== undefined) onFile(await handle.getFile(), handle);
    } catch (error) {
      // The user closed the chooser, or else the ordinary one opens from now on.
      if (!(error instanceof DOMException && error.name === 'AbortError')) setCanPick(false);
    }
  };
  return (
    <fieldset
      class="dropzone"
      aria-label={label}
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => void drop(event)}
    >
      <Upload aria-hidden="true" />
      <input
        id={id}
        type="file"
        accept={accept}
        class="visually-hidden"
        onClick={(event) => {
          const picker = filePicker();
          if (picker === undefined || !canPick) return;
          event.preventDefault();
          void pick(picker);
        }}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file !== undefined) onFile(file);
          currentTarget.value = '';
        }}
      />
      <label for={id}>{label}</label>
      {hint !== undefined && <p class="muted small">{hint}</p>}
    </fieldset>
  );
}
