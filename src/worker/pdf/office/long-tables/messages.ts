import type { LongTable, Prediction } from '@docmill/layout';
import { z } from 'zod';

export interface PredictRequest {
  readonly docx: Uint8Array;
  readonly table: LongTable;
  /** Path of LibreOffice's fontconfig file. */
  readonly fontSettings: string;
}

const joint = z.object({
  row: z.number(),
  pages: z.number(),
  gap: z.number(),
  pitch: z.number().nullable(),
  column: z.number(),
  depth: z.number(),
});
const prediction = z.object({
  joints: z.array(joint),
  uncertain: z.array(z.object({ row: z.number(), height: z.number() })),
});

const predictAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('predicted'), prediction }),
  z.object({ kind: z.literal('unknown'), reason: z.string() }),
]);

export type PredictAnswer =
  | { readonly kind: 'predicted'; readonly prediction: Prediction }
  /** The row heights cannot be computed, or do not lead to the starts that LibreOffice has found. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** Validates the answer of the process that predicts page ends, because it has read a file that may be hostile. */
export function readPredictAnswer(message: unknown): PredictAnswer | undefined {
  return predictAnswer.safeParse(message).data;
}
