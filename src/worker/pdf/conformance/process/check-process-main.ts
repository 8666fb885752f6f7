import { serveRequests } from '../../../supervisor/serve-requests.ts';
import { checkPdf } from '../check-pdf.ts';
import { completeTags } from '../completion/complete-tags.ts';
import type { CheckAnswer, ProcessRequest } from './messages.ts';

serveRequests<ProcessRequest, CheckAnswer>('docmill-check', async (request) => {
  if (request.kind === 'complete') return { kind: 'completed', bytes: await completeTags(request.bytes) };
  return { kind: 'report', report: await checkPdf(request.bytes, request.standards, request.password) };
});
