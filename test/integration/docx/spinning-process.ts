/** A document process that says it is ready and then computes forever. */
import { writeSync } from 'node:fs';
import { answersFd } from '../../../src/worker/supervisor/frame-pipes.ts';
import { messageToPieces } from '../../../src/worker/supervisor/message-frame.ts';

for (const piece of messageToPieces({ kind: 'ready' })) writeSync(answersFd, piece);
for (;;);
