import type { ExpectedState } from '../../shared/domain/templates/expected-state.ts';
import { invalidField } from './parse-request.ts';

/** Identifies the state of a template by its current version and the time of its last change. */
export function toEntityTag(state: ExpectedState): string {
  return `"${state.version}-${state.updatedAt.getTime()}"`;
}

/** Parses `If-Match` (RFC 9110, 13.1.1): one entity tag of this service, or `*`, which matches any state. */
export function parseIfMatch(header: string | undefined): ExpectedState | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const match = /^\s*"(\d{1,9})-(\d{1,16})"\s*$/.exec(header);
  if (match === null) throw invalidField('If-Match', 'must be an entity tag from an ETag header of this service, or *');
  return { version: Number(match[1]), updatedAt: new Date(Number(match[2])) };
}
