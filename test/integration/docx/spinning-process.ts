/** A document process that says it is ready and then computes forever. */
import { writeSync } from 'node:fs';
import { answerToPieces } from '../../../src/worker/docx/sandbox/message-frames.ts';
import { answersFd } from '../../../src/worker/supervisor/frame-pipes.ts';

for (const piece of answerToPieces({ kind: 'ready' })) writeSync(answersFd, piece);
for (;;);
