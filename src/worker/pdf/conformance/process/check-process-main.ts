import { checkPdf } from '../check-pdf.ts';
import { completeTags } from '../completion/complete-tags.ts';
import type { CheckAnswer, ProcessRequest } from './messages.ts';

process.title = 'docmill-check';
// The parent ends this process: a signal to the whole group must not interrupt a check.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.on('disconnect', () => process.exit(0));

const send = (answer: CheckAnswer): boolean | undefined => process.send?.(answer);

process.on('message', (request: ProcessRequest) => {
  answer(request).then(send, (error: unknown) =>
    send({ kind: 'broken', stack: error instanceof Error ? `${error.stack}` : String(error) }),
  );
});
send({ kind: 'ready' });

async function answer(request: ProcessRequest): Promise<CheckAnswer> {
  if (request.kind === 'complete') return { kind: 'completed', bytes: await completeTags(request.bytes) };
  return { kind: 'report', report: await checkPdf(request.bytes, request.standards, request.password) };
}
