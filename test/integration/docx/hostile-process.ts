/** A document process under an attacker's control: performs the attack that the name of the job's template selects. */
import { writeSync } from 'node:fs';
import type { ProcessAnswer } from '../../../src/worker/docx/sandbox/protocol.ts';
import { FrameReader, frameHead } from '../../../src/worker/supervisor/frame.ts';
import { answersFd } from '../../../src/worker/supervisor/frame-pipes.ts';
import { frameToMessage, messageToPieces } from '../../../src/worker/supervisor/message-frame.ts';

const document = messageToPieces({
  kind: 'document',
  docx: Buffer.alloc(1000, 'x'),
  warnings: [],
  hasPageFields: false,
  renderMs: 1,
  cache: { isCached: false, evicted: [] },
} satisfies ProcessAnswer);
const say = (...pieces: readonly Uint8Array[]) => pieces.forEach((piece) => void writeSync(answersFd, piece));
const tricks: Readonly<Record<string, () => void>> = {
  'half a frame': () => {
    say(Buffer.concat(document).subarray(0, -1));
    process.exit(0);
  },
  'a whole frame before the end': () => {
    say(...document);
    process.exit(0);
  },
  'no JSON': () => say(Buffer.from([2, 0, 0, 0, 0, 0, 0, 0, 0x7b, 0x7b])),
  'an unknown kind': () => say(...messageToPieces({ kind: 'surprise' })),
  'a document without its file': () => say(...messageToPieces({ kind: 'document', docx: 'text' })),
  'a length of gigabytes': () => say(frameHead({ fields: { kind: 'document' }, bytes: [] }, 2 ** 32 - 1)),
  'no end of zeros': () => {
    for (;;) say(Buffer.alloc(1_000_000));
  },
  silence: () => undefined,
};

const reader = new FrameReader({ maxBytes: 1_000_000, keepsChunks: true });
process.stdin.on('data', (chunk: Buffer) => {
  for (const job of reader.push(chunk).map(frameToMessage)) tricks[String(job.cacheKey)]?.();
});
say(...messageToPieces({ kind: 'ready' }));
