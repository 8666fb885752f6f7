import './gallery.css';
import { CopyPlus } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { hasScope } from '../../session/session.ts';
import { galleryTexts } from '../../texts/gallery.ts';
import { Button } from '../../ui/button.tsx';
import { Segments } from '../../ui/segments.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import {
  type GalleryEntry,
  galleryAddress,
  galleryEntries,
  type Language,
  languages,
  preferredLanguage,
} from './gallery-entries.ts';
import { PreviewDialog } from './preview-dialog.tsx';
import { useCopy } from './use-copy.ts';

/** Ready templates in a language that the user chooses: each can be previewed, and copied into the account. */
export default function Gallery() {
  const [language, setLanguage] = useState<Language>(preferredLanguage);
  const [previewed, setPreviewed] = useState<GalleryEntry>();
  const [used, setUsed] = useState<GalleryEntry>();
  const { run, isBusy, error } = useCopy();
  const shown = galleryEntries.filter((entry) => entry.language === language);
  return (
    <section class="gallery" aria-label={galleryTexts.title}>
      <Segments label={galleryTexts.language} value={language} options={languages} onSelect={setLanguage} />
      {error !== undefined && <ErrorNote error={error} />}
      <ul class="gallery-cards" aria-label={galleryTexts.title}>
        {shown.map((entry) => (
          <li key={entry.kind} class="gallery-card">
            <button
              type="button"
              class="gallery-picture"
              aria-label={galleryTexts.preview(entry.title)}
              onClick={() => setPreviewed(entry)}
            >
              <img src={galleryAddress(entry, 'page.webp')} alt="" loading="lazy" />
            </button>
            <h3 lang={entry.language}>{entry.title}</h3>
            <p class="muted small" lang={entry.language}>
              {entry.about}
            </p>
            {hasScope('templates:write') && (
              <Button
                icon={<CopyPlus aria-hidden="true" />}
                isBusy={isBusy && used === entry}
                disabled={isBusy && used !== entry}
                aria-label={galleryTexts.useNamed(entry.title)}
                onClick={() => {
                  setUsed(entry);
                  run(entry);
                }}
              >
                {galleryTexts.use}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {previewed !== undefined && <PreviewDialog entry={previewed} onClose={() => setPreviewed(undefined)} />}
    </section>
  );
}
