import type { Context } from 'hono';
import type { Precondition } from '../../shared/domain/precondition.ts';
import type { ExpectedState } from '../../shared/domain/templates/change-template.ts';
import type { WebhookState } from '../../shared/domain/webhooks/manage-webhooks.ts';
import { AppError } from '../../shared/errors.ts';
import type { ApiEnv } from './api-env.ts';
import { invalidField } from './parse-request.ts';

/** The entity tag of a template and of its current file: its version and the time of its last change. */
export function toEntityTag(state: ExpectedState): string {
  return `"${state.version}-${state.updatedAt.getTime()}"`;
}

export function toWebhookTag({ updatedAt, failingSince }: WebhookState): string {
  return `"${updatedAt.getTime()}-${failingSince?.getTime() ?? 0}"`;
}

/** The entity tag of a file that is identified by its content: SHA-256, hex. */
export function toChecksumTag(checksum: string): string {
  return `"${checksum}"`;
}

// Allows no more digits than PostgreSQL accepts in a number or a time.
const templateTag = /^(\d{1,9})-(\d{1,13})$/;
const webhookTag = /^(\d{1,13})-(\d{1,13})$/;

/** The preconditions of a change to a template. Throws `invalid_request` for a malformed header. */
export function templatePrecondition(c: Context<ApiEnv>): Precondition<ExpectedState> {
  return readPrecondition(c, (tag) => {
    const [, version, time] = templateTag.exec(tag) ?? [];
    return time === undefined ? undefined : { version: Number(version), updatedAt: new Date(Number(time)) };
  });
}

/** The preconditions of a change to a webhook. Throws `invalid_request` for a malformed header. */
export function webhookPrecondition(c: Context<ApiEnv>): Precondition<WebhookState> {
  return readPrecondition(c, (tag) => {
    const [, time, since] = webhookTag.exec(tag) ?? [];
    if (time === undefined || since === undefined) return undefined;
    return { updatedAt: new Date(Number(time)), failingSince: since === '0' ? undefined : new Date(Number(since)) };
  });
}

/**
 * The preconditions of a change to a file that is identified by its checksum. Throws `invalid_request` for a malformed
 * header.
 */
export function checksumPrecondition(c: Context<ApiEnv>): Precondition<string> {
  return readPrecondition(c, (tag) => (/^[0-9a-f]{64}$/.test(tag) ? tag : undefined));
}

/**
 * Throws `precondition_failed` when a change to a resource without entity tags names one. Such resources, for example
 * jobs, change without a request.
 */
export function rejectTagged(c: Context<ApiEnv>, resource: string): void {
  const { anyOf, noneOf } = readPrecondition(c, (tag) => tag);
  if (anyOf === undefined && noneOf !== '*') return;
  throw new AppError(
    'precondition_failed',
    `A ${resource} has no entity tag. Repeat the request without If-Match and If-None-Match.`,
  );
}

/** Omits tags that `parse` cannot read, because they match no resource. */
function readPrecondition<State>(c: Context<ApiEnv>, parse: (tag: string) => State | undefined): Precondition<State> {
  const toStates = (tags: readonly string[]) => tags.map(parse).filter((state) => state !== undefined);
  const [required, refused] = [readTags(c, 'If-Match'), readTags(c, 'If-None-Match')];
  const strong = (required ?? []).filter(({ isWeak }) => !isWeak).map(({ tag }) => tag);
  return {
    anyOf: required === undefined || isAny(required) ? undefined : toStates(strong),
    noneOf: isAny(refused) ? '*' : toStates((refused ?? []).map(({ tag }) => tag)),
  };
}

interface EntityTag {
  /** Without quotes; `*` matches any tag. */
  readonly tag: string;
  readonly isWeak: boolean;
  readonly isAny: boolean;
}

const isAny = (tags: readonly EntityTag[] | undefined): boolean => tags?.some((tag) => tag.isAny) === true;
const listedTag = /[\t ,]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[\t ]*(?:,[\t ,]*|$)/y;

/** The tags of a header; undefined without it. Throws `invalid_request` when it is malformed. */
function readTags(c: Context<ApiEnv>, name: 'If-Match' | 'If-None-Match'): readonly EntityTag[] | undefined {
  const header = c.req.header(name);
  if (header === undefined) return undefined;
  const tags = parseTags(header.trim());
  if (tags === undefined) throw invalidField(name, 'must be entity tags in quotes, from an ETag header, or *');
  return tags;
}

/** Parses a list of entity tags, or `*` (RFC 9110, 8.8.3 and 13.1); undefined when it is malformed. */
function parseTags(header: string): readonly EntityTag[] | undefined {
  if (header === '*') return [{ tag: '*', isWeak: false, isAny: true }];
  const tags: EntityTag[] = [];
  for (listedTag.lastIndex = 0; listedTag.lastIndex < header.length; ) {
    const match = listedTag.exec(header);
    if (match === null) return undefined;
    tags.push({ tag: match[2] ?? '', isWeak: match[1] !== undefined, isAny: false });
  }
  return tags.length === 0 ? undefined : tags;
}

/**
 * Evaluates the preconditions of a GET or HEAD (RFC 9110, 13.2.2): the response 304, or undefined when the resource is
 * to be sent. Throws `precondition_failed` when `If-Match` names another state. Ignores malformed headers, because
 * sending the resource is always safe.
 */
export function notModified(c: Context<ApiEnv>, etag: string): Response | undefined {
  const current = etag.slice(1, -1);
  const required = parseTags(c.req.header('If-Match')?.trim() ?? '');
  if (required !== undefined && !required.some((tag) => tag.isAny || (!tag.isWeak && tag.tag === current))) {
    throw new AppError('precondition_failed', 'The resource was changed since you read it.');
  }
  const known = parseTags(c.req.header('If-None-Match')?.trim() ?? '') ?? [];
  return known.some((tag) => tag.isAny || tag.tag === current) ? c.body(null, 304, { ETag: etag }) : undefined;
}

/** Offsets of the first and the last byte, counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The requested range of a file; undefined without one, for a method other than GET, or when `If-Range` names another
 * version (RFC 9110, 13.1.5 and 14.2). Throws `range_not_satisfiable` for a range that begins after the file's end.
 */
export function requestedRange(c: Context<ApiEnv>, etag: string, sizeBytes: number): ByteRange | undefined {
  if (c.req.method !== 'GET' || (c.req.header('If-Range')?.trim() ?? etag) !== etag) return undefined;
  const range = parseRange(c.req.header('Range'), sizeBytes);
  if (range !== undefined && range.start > range.end) {
    c.header('Content-Range', `bytes */${sizeBytes}`);
    throw new AppError('range_not_satisfiable', `The file has ${sizeBytes} bytes; the range begins after its end`);
  }
  return range;
}

/**
 * Parses a single byte range. A range that is malformed, not in bytes, or multiple is ignored, as the RFC permits; the
 * response is then the whole file. The result is empty when the range is outside the file.
 */
function parseRange(header: string | undefined, sizeBytes: number): ByteRange | undefined {
  const match = /^bytes=[\t ]*(\d{0,15})-(\d{0,15})[\t ]*$/i.exec(header?.trim() ?? '');
  if (match === null) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return undefined;
  if (first !== '' && last !== '' && Number(first) > Number(last)) return undefined;
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  return { start, end };
}
