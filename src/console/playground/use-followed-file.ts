import { useEffect, useRef, useState } from 'preact/hooks';
import { checkTemplateFile } from '../templates/check-template-file.ts';
import { uploadTexts } from '../texts/templates.ts';
import type { DroppedFile } from '../ui/read-drop.ts';
import { type FollowedFile, followFile } from './followed-file.ts';

export interface Following {
  /** As last read; undefined while the stored template is shown. */
  readonly file: FollowedFile | undefined;
  /** The file as it was chosen, to read it again. */
  readonly source: DroppedFile | undefined;
  /** Why a file cannot be shown. */
  readonly refusal: string | undefined;
  readonly open: (source: DroppedFile) => void;
  readonly stop: () => void;
}

/** A local file that is shown instead of the stored template; `opened` is a file that another page passed. */
export function useFollowedFile(opened: DroppedFile | undefined): Following {
  const [file, setFile] = useState<FollowedFile>();
  const [source, setSource] = useState<DroppedFile>();
  const [refusal, setRefusal] = useState<string>();
  const end = useRef<() => void>(() => undefined);
  const stop = (): void => {
    end.current();
    setFile(undefined);
    setSource(undefined);
    setRefusal(undefined);
  };
  const open = (next: DroppedFile): void => {
    stop();
    const problem = checkTemplateFile(next.file);
    setRefusal(problem);
    if (problem !== undefined) return;
    setSource(next);
    end.current = followFile(next.file, next.handle, {
      onChange: setFile,
      onUnreadable: () => setRefusal(uploadTexts.unreadable),
    });
  };
  useEffect(() => {
    if (opened !== undefined) open(opened);
  }, [opened]);
  useEffect(() => () => end.current(), []);
  return { file, source, refusal, open, stop };
}
