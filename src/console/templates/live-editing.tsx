import { FilePen } from 'lucide-preact';
import { liveTexts } from '../texts/templates.ts';
import { Dropzone } from '../ui/dropzone.tsx';
import { canReadAgain, type DroppedFile } from '../ui/read-drop.ts';
import { templateFileEndings } from './check-template-file.ts';

/** Offers to edit a template in Word while its pages are shown. */
export function LiveEditing({ onFile }: { readonly onFile: (file: DroppedFile) => void }) {
  return (
    <section class="card live-editing" aria-label={liveTexts.title}>
      <FilePen aria-hidden="true" />
      <div>
        <h2>{liveTexts.title}</h2>
        <p class="muted">{canReadAgain() ? liveTexts.about : liveTexts.aboutUnfollowed}</p>
      </div>
      <Dropzone
        label={liveTexts.choose}
        accept={templateFileEndings}
        onFile={(file, handle) => onFile({ file, handle })}
      />
    </section>
  );
}
