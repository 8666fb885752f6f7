import type { components, Docmill, Preview } from '@docmill/client';

type PreviewRequest = components['schemas']['PreviewRequest'];

/** From the usual resolution to one that can still be read. */
const resolutions = [96, 72, 50, 36] as const;
/** Models read no larger pictures; base64 makes a third more of it. */
const maxPictureBytes = 700_000;

export interface PreviewedPage {
  readonly preview: Preview;
  /** Undefined when the picture is too large even at the lowest resolution. */
  readonly dpi: number | undefined;
}

/** One page as PNG of at most 700 KB, at the highest resolution that fits. */
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
