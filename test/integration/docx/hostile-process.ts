/** A document process under an attacker's control: performs the attack that the name of the job's template selects. */
import { writeSync } from 'node:fs';
import { answerToPieces, frameToJob } from '../../../src/worker/docx/sandbox/message-frames.ts';
import type { ProcessAnswer } from '../../../src/worker/docx/sandbox/protocol.ts';
import { FrameReader, frameHead } from '../../../src/worker/supervisor/frame.ts';
import { answersFd } from '../../../src/worker/supervisor/frame-pipes.ts';
import { openFiles } from './open-files.ts';

const document = answerToPieces({
  kind: 'document',
  document: { docx: Buffer.alloc(1000, 'x'), warnings: [], renderMs: 1 },
  cache: { isCached: false, evicted: [] },
});
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
  'an unknown kind': () => say(frameHead({ kind: 'surprise' }, 0)),
  'a length of gigabytes': () => say(frameHead({ kind: 'document' }, 2 ** 32 - 1)),
  'no end of zeros': () => {
    for (;;) say(Buffer.alloc(1_000_000));
  },
  silence: () => undefined,
  'what it has': () => say(...answerToPieces(inheritance())),
};

function inheritance(): ProcessAnswer {
  const has = { env: process.env, files: openFiles(), channel: process.send !== undefined };
  return { kind: 'broken', stack: JSON.stringify(has) };
}

const reader = new FrameReader({ maxBytes: 1_000_000, keepsChunks: true });
process.stdin.on('data', (chunk: Buffer) => {
  for (const job of reader.push(chunk).map(frameToJob)) if (job.kind === 'render') tricks[job.cacheKey]?.();
});
say(...answerToPieces({ kind: 'ready' }));
