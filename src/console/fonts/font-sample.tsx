import type { components } from '@docmill/client';
import { hasScope, useDocmill } from '../session/session.ts';
import { runLimited } from '../templates/thumbnail-limiter.ts';
import { fontTexts } from '../texts/fonts.ts';
import { useVisiblePicture } from '../ui/use-visible-picture.ts';
import { buildSample } from './sample-document.ts';

const dotsPerInch = 144;

interface FontSampleProps {
  /** The family. */
  readonly name: string;
  readonly fonts: NonNullable<components['schemas']['Font']['fonts']>;
}

/** A line in each uploaded style, drawn by the service, because the file of a font cannot be downloaded. */
export function FontSample({ name, fonts }: FontSampleProps) {
  const docmill = useDocmill();
  const lines = fonts.map(({ style }) => ({
    isBold: style === 'bold' || style === 'boldItalic',
    isItalic: style === 'italic' || style === 'boldItalic',
  }));
  const { frame, url } = useVisiblePicture(
    async (signal) => {
      const preview = { format: 'png', page: 1, dpi: dotsPerInch } as const;
      const file = new Blob([buildSample(name, lines)]);
      const draw = () => docmill.templates.previewFile(file, { data: { text: fontTexts.sample }, preview }, { signal });
      const { bytes, contentType } = await runLimited(draw, signal);
      return new Blob([bytes], { type: contentType });
    },
    `${name} ${fonts.map(({ id }) => id).join()}`,
  );
  if (!hasScope('generate')) return <p class="muted small">{fontTexts.noSample}</p>;
  return (
    <span class="font-sample" ref={frame} data-lines={lines.length}>
      {url !== undefined && <img src={url} alt={fontTexts.sampleOf(name)} />}
    </span>
  );
}
