import type { components, Docmill, Preview } from '@docmill/client';

type PreviewRequest = components['schemas']['PreviewRequest'];

/** From the usual resolution down to the lowest readable one. */
const resolutions = [96, 72, 50, 36] as const;
/** The largest picture that models read; base64 adds a third. */
const maxPictureBytes = 700_000;

export interface PreviewedPage {
  readonly preview: Preview;
  /** Undefined if the picture is too large even at the lowest resolution. */
  readonly dpi: number | undefined;
}

/** One page as a PNG of at most 700 KB, at the highest resolution that fits. */
export async function previewPage(
  docmill: Docmill,
  request: Omit<PreviewRequest, 'preview'>,
  page: number,
  signal: AbortSignal,
): Promise<PreviewedPage> {
  let preview: Preview | undefined;
  for (const dpi of resolutions) {
    preview = await docmill.templates.preview({ ...request, preview: { format: 'png', page, dpi } }, { signal });
    if (preview.bytes.length <= maxPictureBytes) return { preview, dpi };
  }
  if (preview === undefined) throw new Error('there are no resolutions');
  return { preview, dpi: undefined };
}
