import { z } from 'zod';
import type { Excerpt } from '../../../shared/queue/preview-task.ts';

export interface ExcerptRequest {
  readonly pdf: Uint8Array;
  readonly excerpt: Excerpt;
}

const excerptAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('made'), bytes: z.instanceof(Uint8Array) }),
  z.object({ kind: z.literal('too-large'), maxDpi: z.number().int().min(0) }),
]);

export type ExcerptAnswer =
  | { readonly kind: 'made'; readonly bytes: Uint8Array }
  /** The page has too many pixels at the requested resolution; this is the highest possible one. */
  | { readonly kind: 'too-large'; readonly maxDpi: number };

/** Validates the answer of the process that makes excerpts, because it has read a file that may be hostile. */
export function readExcerptAnswer(message: unknown): ExcerptAnswer | undefined {
  return excerptAnswer.safeParse(message).data;
}
