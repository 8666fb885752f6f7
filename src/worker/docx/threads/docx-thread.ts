import { parentPort, workerData } from 'node:worker_threads';
import { AppError, toErrorRecord } from '../../../shared/errors.ts';
import { inspectTemplate } from '../inspect/inspect-template.ts';
import { renderTemplate } from '../render/render-template.ts';
import type { ThreadAnswer, ThreadJob, ThreadSettings } from './protocol.ts';
import { TemplateCache } from './template-cache.ts';

type RenderJob = Extract<ThreadJob, { kind: 'render' }>;

const cache = new TemplateCache((workerData as ThreadSettings).templateCacheBytes);

parentPort?.on('message', (job: ThreadJob) => {
  const answer = run(job);
  parentPort?.postMessage(answer, answer.kind === 'document' ? [answer.document.docx.buffer] : []);
});
parentPort?.postMessage({ kind: 'ready' } satisfies ThreadAnswer);

function run(job: ThreadJob): ThreadAnswer {
  try {
    return job.kind === 'inspect' ? { kind: 'report', report: inspectTemplate(job.bytes) } : render(job);
  } catch (error) {
    if (!(error instanceof AppError))
      return { kind: 'broken', stack: error instanceof Error ? `${error.stack}` : 'no error' };
    return {
      kind: 'refused',
      error: toErrorRecord(error),
      cache: job.kind === 'render' ? cache.news(job.cacheKey) : undefined,
    };
  }
}

function render({ cacheKey, template: bytes, data, target }: RenderJob): ThreadAnswer {
  const startMs = performance.now();
  const template = cache.get(cacheKey, bytes, target);
  const { file, warnings } = renderTemplate(template, data);
  // A pooled buffer must not be transferred: others share its memory.
  const isWhole = file.byteLength === file.buffer.byteLength && file.buffer instanceof ArrayBuffer;
  const docx = isWhole ? new Uint8Array(file.buffer as ArrayBuffer) : new Uint8Array(file);
  const document = { docx, warnings, renderMs: performance.now() - startMs };
  return { kind: 'document', document, cache: cache.news(cacheKey) };
}
