import { FileText, FileUp } from 'lucide-preact';
import { templateFileEndings } from '../templates/check-template-file.ts';
import { playgroundTexts } from '../texts/playground.ts';
import { liveTexts } from '../texts/templates.ts';
import { Button } from '../ui/button.tsx';
import { Dropzone } from '../ui/dropzone.tsx';
import { formatBytes } from '../ui/format.ts';
import { canReadAgain, type DroppedFile } from '../ui/read-drop.ts';
import type { FollowedFile } from './followed-file.ts';
import type { Following } from './use-followed-file.ts';

interface FileBarProps {
  readonly following: Following;
  /** Makes the file a version; undefined if the key may not. */
  readonly onSave: ((file: DroppedFile) => void) | undefined;
}

/** Offers to show a Word file instead of the stored template, and to follow it each time it is saved. */
export function FileBar({ following: { file, source, refusal, open, stop }, onSave }: FileBarProps) {
  return (
    <section class="file-bar" aria-label={liveTexts.title} data-followed={file?.isFollowed === true}>
      <FileText aria-hidden="true" />
      <div class="file-bar-text">
        <p>
          <strong>{file === undefined ? liveTexts.title : file.name}</strong>
          {file !== undefined && <span class="muted small"> {formatBytes(file.content.size)}</span>}
        </p>
        <p class="muted small" role="status">
          {textOf(file?.isFollowed)}
        </p>
        {refusal !== undefined && (
          <p class="field-error" role="alert">
            {refusal}
          </p>
        )}
      </div>
      {file?.isFollowed !== true && (
        <Dropzone
          label={file === undefined ? liveTexts.choose : liveTexts.chooseAgain}
          accept={templateFileEndings}
          onFile={(chosen, handle) => open({ file: chosen, handle })}
        />
      )}
      {file !== undefined && source !== undefined && (
        <div class="actions">
          {onSave !== undefined && (
            <Button variant="primary" icon={<FileUp />} onClick={() => onSave(versionOf(file, source))}>
              {playgroundTexts.saveVersion}
            </Button>
          )}
          <Button onClick={stop}>{playgroundTexts.stopFile}</Button>
        </div>
      )}
    </section>
  );
}

/**
 * The file to upload as a version. Without a handle, the browser may not read it again, so the content that is shown is
 * used.
 */
const versionOf = ({ name, content }: FollowedFile, { file, handle }: DroppedFile): DroppedFile =>
  handle === undefined ? { file: new File([content], name) } : { file, handle };

function textOf(isFollowed: boolean | undefined): string {
  if (isFollowed === undefined) return canReadAgain() ? liveTexts.short : liveTexts.shortUnfollowed;
  return isFollowed ? playgroundTexts.followed : playgroundTexts.notFollowed;
}
