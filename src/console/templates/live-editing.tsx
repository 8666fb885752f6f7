import { Download, FilePen } from 'lucide-preact';
import { liveTexts } from '../texts/templates.ts';
import { Button } from '../ui/button.tsx';
import { Dropzone } from '../ui/dropzone.tsx';
import { canReadAgain, type DroppedFile } from '../ui/read-drop.ts';
import { templateFileEndings } from './check-template-file.ts';

interface LiveEditingProps {
  /** Downloads the template, which the browser then opens in Word. */
  readonly onOpen: () => void;
  readonly isOpening: boolean;
  readonly onFile: (file: DroppedFile) => void;
}

/** Offers to edit a template in Word while its pages are shown. */
export function LiveEditing({ onOpen, isOpening, onFile }: LiveEditingProps) {
  return (
    <section class="card live-editing" aria-label={liveTexts.title}>
      <FilePen aria-hidden="true" />
      <div>
        <h2>{liveTexts.title}</h2>
        <p class="muted">{canReadAgain() ? liveTexts.about : liveTexts.aboutUnfollowed}</p>
        <Button icon={<Download aria-hidden="true" />} isBusy={isOpening} onClick={onOpen}>
          {liveTexts.open}
        </Button>
      </div>
      <Dropzone
        label={liveTexts.choose}
        accept={templateFileEndings}
        onFile={(file, handle) => onFile({ file, handle })}
      />
    </section>
  );
}
