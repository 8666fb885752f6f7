import type { Docmill } from '@docmill/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { playgroundTexts } from '../texts/playground.ts';
import { Button } from '../ui/button.tsx';
import { Dropzone } from '../ui/dropzone.tsx';
import { formatBytes } from '../ui/format.ts';
import { ErrorNote } from '../ui/states.tsx';
import { type FollowedFile, followFile, maxTemplateBytes } from './followed-file.ts';
import type { PlaygroundTemplate } from './playground.tsx';

interface FilePanelProps {
  readonly docmill: Docmill;
  readonly template: PlaygroundTemplate;
  readonly file: FollowedFile | undefined;
  readonly onFile: (file: FollowedFile | undefined) => void;
  /** Hidden when the key may not change templates. */
  readonly canSave: boolean;
}

/** Previews a Word file of this computer in the place of the stored template, again each time it is saved. */
export function FilePanel({ docmill, template, file, onFile, canSave }: FilePanelProps) {
  const stop = useRef<() => void>(() => undefined);
  const [isBusy, setIsBusy] = useState(false);
  const [savedVersion, setSavedVersion] = useState<number>();
  const [error, setError] = useState<unknown>();
  useEffect(() => () => stop.current(), []);
  const end = (): void => {
    stop.current();
    onFile(undefined);
  };
  const open = (opened: File, handle?: FileSystemFileHandle): void => {
    end();
    setSavedVersion(undefined);
    setError(undefined);
    if (!/\.docx$/i.test(opened.name)) setError(new Error(playgroundTexts.notWord));
    else if (opened.size > maxTemplateBytes) setError(new Error(playgroundTexts.fileTooLarge));
    else stop.current = followFile(opened, handle, { onChange: onFile });
  };
  const save = async (content: Blob): Promise<void> => {
    setIsBusy(true);
    setError(undefined);
    try {
      const { version } = await docmill.templates.replace(template.id, template.name, content);
      setSavedVersion(version);
    } catch (failure) {
      setError(failure);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <div class="form-fields">
      {file === undefined ? (
        <Dropzone label={playgroundTexts.dropFile} hint={playgroundTexts.dropHint} accept=".docx" onFile={open} />
      ) : (
        <>
          <p>
            <strong>{file.name}</strong> · {formatBytes(file.content.size)}
          </p>
          <p class="hint" role="status">
            {file.isFollowed ? playgroundTexts.followed : playgroundTexts.notFollowed}
          </p>
          <div class="actions">
            {canSave && (
              <Button variant="primary" isBusy={isBusy} onClick={() => void save(file.content)}>
                {playgroundTexts.saveVersion}
              </Button>
            )}
            <Button onClick={end}>{playgroundTexts.stopFile}</Button>
          </div>
        </>
      )}
      {savedVersion !== undefined && <p role="status">{playgroundTexts.savedVersion(savedVersion)}</p>}
      {error !== undefined && <ErrorNote error={error} />}
    </div>
  );
}
