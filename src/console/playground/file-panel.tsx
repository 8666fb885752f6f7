import type { Docmill } from '@docmill/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { checkTemplateFile, templateFileEndings } from '../templates/check-template-file.ts';
import { playgroundTexts } from '../texts/playground.ts';
import { uploadTexts } from '../texts/templates.ts';
import { Button } from '../ui/button.tsx';
import { Dropzone } from '../ui/dropzone.tsx';
import { formatBytes } from '../ui/format.ts';
import { ErrorNote } from '../ui/states.tsx';
import { useAction } from '../ui/use-action.ts';
import { type FollowedFile, followFile } from './followed-file.ts';
import type { PlaygroundTemplate } from './load-template.ts';

interface FilePanelProps {
  readonly docmill: Docmill;
  readonly template: PlaygroundTemplate;
  readonly file: FollowedFile | undefined;
  readonly onFile: (file: FollowedFile | undefined) => void;
  /** Hidden when the key may not change templates. */
  readonly canSave: boolean;
}

/** Previews a local Word file instead of the stored template, again after each save. */
export function FilePanel({ docmill, template, file, onFile, canSave }: FilePanelProps) {
  const stop = useRef<() => void>(() => undefined);
  const [savedVersion, setSavedVersion] = useState<number>();
  const [refusal, setRefusal] = useState<string>();
  const { run, isBusy, error, reset } = useAction(async (content: Blob) => {
    setSavedVersion(undefined);
    const { version } = await docmill.templates.replace(template.id, template.name, content);
    setSavedVersion(version);
  });
  useEffect(() => () => stop.current(), []);
  const end = (): void => {
    stop.current();
    onFile(undefined);
  };
  const open = (opened: File, handle?: FileSystemFileHandle): void => {
    end();
    setSavedVersion(undefined);
    reset();
    const problem = checkTemplateFile(opened);
    setRefusal(problem);
    if (problem !== undefined) return;
    stop.current = followFile(opened, handle, {
      onChange: onFile,
      onUnreadable: () => setRefusal(uploadTexts.unreadable),
    });
  };
  return (
    <div class="form-fields">
      {file !== undefined && (
        <>
          <p>
            <strong>{file.name}</strong> · {formatBytes(file.content.size)}
          </p>
          <p class="hint" role="status">
            {file.isFollowed ? playgroundTexts.followed : playgroundTexts.notFollowed}
          </p>
          <div class="actions">
            {canSave && (
              <Button variant="primary" isBusy={isBusy} onClick={() => run(file.content)}>
                {playgroundTexts.saveVersion}
              </Button>
            )}
            <Button onClick={end}>{playgroundTexts.stopFile}</Button>
          </div>
        </>
      )}
      {file?.isFollowed !== true && (
        <Dropzone
          label={playgroundTexts.dropFile}
          hint={playgroundTexts.dropHint}
          accept={templateFileEndings}
          onFile={open}
        />
      )}
      {savedVersion !== undefined && <p role="status">{playgroundTexts.savedVersion(savedVersion)}</p>}
      {refusal !== undefined && (
        <p class="field-error" role="alert">
          {refusal}
        </p>
      )}
      {error !== undefined && <ErrorNote error={error} />}
    </div>
  );
}
