import './fonts.css';
import type { components, Docmill } from '@docmill/client';
import { useState } from 'preact/hooks';
import { serviceUrl } from '../session/addresses.ts';
import { hasScope, useDocmill } from '../session/session.ts';
import { fontTexts } from '../texts/fonts.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { ErrorNote, Skeleton } from '../ui/states.tsx';
import { useLoad } from '../ui/use-load.ts';
import { FontFamily, type OwnFamily } from './font-family.tsx';
import { InstalledFonts } from './installed-fonts.tsx';
import { MissingFonts } from './missing-fonts.tsx';
import { UploadFont } from './upload-font.tsx';

export default function FontListPage() {
  const docmill = useDocmill();
  // Also reads again which fonts the templates miss.
  const [round, setRound] = useState(0);
  const { value, error, reload } = useLoad((signal) => readFonts(docmill, signal), '');
  const change = (): void => {
    setRound(round + 1);
    reload();
  };
  const own = value?.filter((family): family is OwnFamily => family.fonts !== undefined) ?? [];
  return (
    <>
      <PageHeader title={fontTexts.title} about={fontTexts.about} />
      {error !== undefined && <ErrorNote error={error} onRetry={change} />}
      {value === undefined && error === undefined && <Skeleton lines={8} />}
      {value !== undefined && (
        <div class="font-sections">
          <section class="font-section" aria-label={fontTexts.own}>
            <h2>{fontTexts.own}</h2>
            {hasScope('templates:write') ? <UploadFont onDone={change} /> : <p class="muted">{fontTexts.readOnly}</p>}
            {own.length === 0 ? (
              <p class="muted">
                {fontTexts.noneText} <a href={`${serviceUrl}/guide/guides/fonts.html`}>{fontTexts.howTo}</a>
              </p>
            ) : (
              <ul class="font-families" aria-label={fontTexts.own}>
                {own.map((family) => (
                  <FontFamily key={family.name} family={family} onChange={change} />
                ))}
              </ul>
            )}
          </section>
          <div class="font-side">
            <MissingFonts round={round} />
            <InstalledFonts families={value.filter(({ scope }) => scope === 'installed')} />
          </div>
        </div>
      )}
    </>
  );
}

async function readFonts(docmill: Docmill, signal: AbortSignal): Promise<readonly components['schemas']['Font'][]> {
  const families: components['schemas']['Font'][] = [];
  for await (const family of docmill.fonts.list({}, { signal })) families.push(family);
  return families;
}
