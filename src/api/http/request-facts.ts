import type { Context } from 'hono';
import type { ApiEnv, RequestFacts } from './api-env.ts';

/** Adds facts to the log line of the request. */
export function noteRequest(c: Context<ApiEnv>, facts: RequestFacts): void {
  Object.assign(c.get('facts'), facts);
}

const idPattern = /^[a-z]{3}_[0-9a-z]{26}$/;
const nameOf: Readonly<Record<string, 'templateId' | 'documentId' | 'batchId'>> = {
  templates: 'templateId',
  jobs: 'documentId',
  batches: 'batchId',
};

/** The id in the path of an operation. Malformed ids are not logged, because they may contain anything. */
export function pathFacts(route: string, path: string): RequestFacts {
  if (!route.includes('/:id')) return {};
  const [, , resource = '', id = ''] = path.split('/');
  const name = nameOf[resource];
  return name !== undefined && idPattern.test(id) ? { [name]: id } : {};
}
