import { type Frame, frameHead } from './frame.ts';
import type { ProcessAnswer } from './protocol.ts';

/** The pieces of a frame, to be written in this order. */
export function answerToPieces(answer: ProcessAnswer): Uint8Array[] {
  if (answer.kind !== 'document') return [frameHead(answer, 0)];
  const { docx, ...document } = answer.document;
  return [frameHead({ ...answer, document }, docx.byteLength), docx];
}

const kinds: ReadonlySet<unknown> = new Set<ProcessAnswer['kind']>([
  'ready',
  'report',
  'picture',
  'document',
  'needs',
  'refused',
  'broken',
]);

/** The answer of a frame; a document's bytes are those of the frame. Throws for what is none. */
export function frameToAnswer({ head, body }: Frame): ProcessAnswer {
  const answer = JSON.parse(head.toString()) as ProcessAnswer;
  if (!kinds.has(answer.kind)) throw new Error('an answer of no known kind');
  return answer.kind === 'document' ? { ...answer, document: { ...answer.document, docx: body } } : answer;
}
