import { z } from 'zod';

export interface DirectRequest {
  /** Path of the fontconfig file that LibreOffice uses. */
  readonly fontSettings: string;
  readonly docx: Uint8Array;
}

const maxReason = 300;
const directAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('made'), pdf: z.instanceof(Uint8Array), pages: z.number().int().min(1) }),
  // What the layout does not know.
  z.object({ kind: z.literal('unknown'), reason: z.string().transform((reason) => reason.slice(0, maxReason)) }),
]);

export type DirectAnswer =
  | { readonly kind: 'made'; readonly pdf: Uint8Array; readonly pages: number }
  | { readonly kind: 'unknown'; readonly reason: string };

/** What a process of direct layout answers. It read a file that may be hostile, so its answer is checked. */
export function readDirectAnswer(message: unknown): DirectAnswer | undefined {
  return directAnswer.safeParse(message).data;
}
