import { z } from '@hono/zod-openapi';
import type { TargetPolicy } from '../../shared/domain/webhooks/target-policy.ts';
import { invalidField } from '../http/invalid-request.ts';

export const targetUrl = z.string().min(1).max(2_048);

/** The address as it will be used; throws `invalid_request` for one that nothing may be sent to. */
export function parseTargetUrl(targets: TargetPolicy, path: string, text: string): string {
  const problem = targets.problemOf(text);
  if (problem !== undefined) throw invalidField(path, problem);
  return new URL(text).href;
}
