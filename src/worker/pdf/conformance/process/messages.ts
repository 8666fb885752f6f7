import { z } from 'zod';
import { type ConformanceReport, type Standard, standards } from '../standards.ts';

/** A request to a check process: check a file, or complete its tags. */
export type ProcessRequest = CheckRequest | CompleteRequest;

export interface CompleteRequest {
  readonly kind: 'complete';
  readonly bytes: Uint8Array;
}

export interface CheckRequest {
  readonly kind: 'check';
  readonly bytes: Uint8Array;
  readonly standards: readonly Standard[];
  /** Password of an encrypted file. */
  readonly password: string | undefined;
}

const maxText = 1_000;
const failure = z.object({
  rule: z.string().max(maxText),
  clause: z.string().max(maxText),
  message: z.string().max(maxText),
  place: z.string().max(maxText).optional(),
  count: z.number().int(),
});
const report = z.object({
  passed: z.boolean(),
  standards: z
    .array(
      z.object({
        standard: z.enum(standards),
        passed: z.boolean(),
        checked: z.number().int(),
        failures: z.array(failure).max(maxText),
      }),
    )
    .max(standards.length),
});

const checkAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('report'), report }),
  z.object({ kind: z.literal('completed'), bytes: z.instanceof(Uint8Array) }),
]);

export type CheckAnswer =
  | { readonly kind: 'report'; readonly report: ConformanceReport }
  | { readonly kind: 'completed'; readonly bytes: Uint8Array };

/** Validates the answer of a check process, because it has read a file that may be hostile. */
export function readCheckAnswer(message: unknown): CheckAnswer | undefined {
  return checkAnswer.safeParse(message).data;
}
