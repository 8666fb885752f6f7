import { z } from 'zod';

/** A document to add to a volume. */
export interface MergeInput {
  readonly row: number;
  readonly title: string;
  readonly bytes: Uint8Array;
}

/** A request to the process that writes one volume: add a document, or end the volume. */
export type MergeRequest = (MergeInput & { readonly kind: 'add' }) | { readonly kind: 'end'; readonly title: string };

const mergeAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('written'), bytes: z.instanceof(Uint8Array) }),
  z.object({ kind: z.literal('refused'), reason: z.string() }),
]);

export type MergeAnswer =
  /** The bytes of the volume that follow those in the previous answer. */
  | { readonly kind: 'written'; readonly bytes: Uint8Array }
  /** The document cannot be part of a volume, which is not finished then. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Validates the answer of a merge process, because it has read files that may be hostile. */
export function readMergeAnswer(message: unknown): MergeAnswer | undefined {
  return mergeAnswer.safeParse(message).data;
}
