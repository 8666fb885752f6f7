import type { Standards } from '@docmill/layout';
import { z } from 'zod';
import type { PdfOptions } from '../../../shared/output-options.ts';

/** The options of a request that direct layout supports, with the same result as LibreOffice's export. */
export type DirectPdfOptions = Pick<PdfOptions, 'pages' | 'watermark' | 'imageQuality'> & {
  /** Default: none. */
  readonly standards?: Standards | undefined;
};

export interface DirectRequest {
  /** Path of LibreOffice's fontconfig file. */
  readonly fontSettings: string;
  readonly docx: Uint8Array;
  readonly options: DirectPdfOptions;
  /** Whether the answer for a document that is not supported lists all reasons, and not only the first one. */
  readonly inspects: boolean;
}

/** The maximum number of reasons in an answer. */
export const mostReasons = 20;
const maxReason = 300;
const directAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('made'), pdf: z.instanceof(Uint8Array), pages: z.number().int().min(1) }),
  // The features that direct layout does not support.
  z.object({
    kind: z.literal('unknown'),
    reasons: z
      .array(z.string().transform((reason) => reason.slice(0, maxReason)))
      .min(1)
      .max(mostReasons),
  }),
]);

export type DirectAnswer =
  | { readonly kind: 'made'; readonly pdf: Uint8Array; readonly pages: number }
  | { readonly kind: 'unknown'; readonly reasons: readonly string[] };

/** Validates the answer of a direct layout process, because it has read a file that may be hostile. */
export function readDirectAnswer(message: unknown): DirectAnswer | undefined {
  return directAnswer.safeParse(message).data;
}
