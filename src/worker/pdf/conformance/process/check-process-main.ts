import { checkPdf } from '../check-pdf.ts';
import type { CheckAnswer, CheckRequest } from './messages.ts';

process.title = 'docmill-check';
// The parent ends this process: a signal to the whole group must not interrupt a check.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.on('disconnect', () => process.exit(0));

const send = (answer: CheckAnswer): boolean | undefined => process.send?.(answer);

process.on('message', ({ bytes, standards, password }: CheckRequest) => {
  checkPdf(bytes, standards, password).then(
    (report) => send({ kind: 'report', report }),
    (error: unknown) => send({ kind: 'broken', stack: error instanceof Error ? `${error.stack}` : String(error) }),
  );
});
send({ kind: 'ready' });
