import { useDocmill } from '../session/session.ts';
import { fontTexts } from '../texts/fonts.ts';
import { BusyBar } from '../ui/busy-bar.tsx';
import { DropOverlay } from '../ui/drop-overlay.tsx';
import { Dropzone } from '../ui/dropzone.tsx';
import { statedLimit } from '../ui/stated-limit.ts';
import { ErrorNote } from '../ui/states.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useAction } from '../ui/use-action.ts';
import { usePageDrop } from '../ui/use-page-drop.ts';

/** The API's limit. */
const maxBytes = 10 * 1024 * 1024;
const endings = '.ttf,.otf';

/** Stores a font as soon as it is chosen, or dropped anywhere on the page: its name and style are in the file. */
export function UploadFont({ onDone }: { readonly onDone: () => void }) {
  const docmill = useDocmill();
  const { run, isBusy, error } = useAction(async (file: File) => {
    if (!/\.(ttf|otf)$/i.test(file.name)) throw new Error(fontTexts.wrongEnding);
    if (file.size > maxBytes) throw new Error(fontTexts.tooLarge);
    const { fullName } = await docmill.fonts.upload(file);
    showToast(fontTexts.stored(fullName));
    onDone();
  });
  const isOver = usePageDrop(run);
  return (
    <>
      <Dropzone label={fontTexts.choose} hint={fontTexts.limits} accept={endings} onFile={run} />
      {isBusy && <BusyBar text={fontTexts.working} />}
      {error !== undefined && <ErrorNote error={statedLimit(error)} />}
      {isOver && <DropOverlay text={fontTexts.drop} />}
    </>
  );
}
