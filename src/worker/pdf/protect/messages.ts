import { z } from 'zod';
import type { Protection } from './protection.ts';

/** A request to the process that encrypts. Never an argument, because other processes could read the password. */
export interface ProtectRequest {
  readonly pdf: Uint8Array;
  readonly protection: Protection;
}

const protectAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('made'), pdf: z.instanceof(Uint8Array) }),
  z.object({ kind: z.literal('unreadable'), reason: z.string() }),
]);

export type ProtectAnswer =
  | { readonly kind: 'made'; readonly pdf: Uint8Array }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Validates the answer of the process that encrypts, because it has read a file that may be hostile. */
export function readProtectAnswer(message: unknown): ProtectAnswer | undefined {
  return protectAnswer.safeParse(message).data;
}
