import type { IncomingMessage } from 'node:http';
import { newId } from '../../shared/ids.ts';
import type { RequestTrace } from '../../shared/request-trace.ts';

const visibleAscii = /^[\x21-\x7e]{1,128}$/;
const parentPattern = /^([0-9a-f]{2})-([0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2})(-.*)?$/;
const onlyZeros = /^0+$/;
/**
 * One entry of `tracestate` (W3C Trace Context, 3.3.1): a key, optionally `tenant@system`, and up to 256 printable
 * characters.
 */
const statePattern =
  /^([a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const maxStateMembers = 32;
const maxStateLength = 512;

/**
 * The client's request id, or a new one when it sent none or an invalid one, and its trace (W3C Trace Context) if that
 * is valid. `header` takes lower-case names.
 */
export function parseRequestTrace(header: (name: string) => string | undefined): RequestTrace {
  const id = header('x-request-id');
  const requestId = id !== undefined && visibleAscii.test(id) ? id : newId('req');
  const parent = header('traceparent');
  const traceparent = parent === undefined ? undefined : parseParent(parent);
  if (traceparent === undefined) return { requestId };
  const state = header('tracestate');
  const tracestate = state === undefined ? undefined : parseState(state);
  return tracestate === undefined ? { requestId, traceparent } : { requestId, traceparent, tracestate };
}

/** Later versions begin like version 00 and are propagated as version 00 (W3C Trace Context, 4.3). */
function parseParent(text: string): string | undefined {
  const [, version, ids, rest] = parentPattern.exec(text) ?? [];
  if (version === undefined || ids === undefined || version === 'ff') return undefined;
  if (version === '00' && rest !== undefined) return undefined;
  const [traceId = '', spanId = ''] = ids.split('-');
  return onlyZeros.test(traceId) || onlyZeros.test(spanId) ? undefined : `00-${ids}`;
}

function parseState(text: string): string | undefined {
  if (text.length > 2 * maxStateLength) return undefined;
  const members = text
    .split(',')
    .map((member) => member.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((member) => member !== '');
  const keys = new Set(members.map((member) => statePattern.exec(member)?.[1]));
  const state = members.join(',');
  const isValid = keys.size === members.length && !keys.has(undefined) && members.length <= maxStateMembers;
  return isValid && state !== '' && state.length <= maxStateLength ? state : undefined;
}

const traces = new WeakMap<IncomingMessage, RequestTrace>();

/** The trace of a request. It is parsed once, so that errors before the application runs have the same request id. */
export function traceOf(incoming: IncomingMessage): RequestTrace {
  const known = traces.get(incoming);
  if (known !== undefined) return known;
  const { headers } = incoming;
  const trace = parseRequestTrace((name) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  });
  traces.set(incoming, trace);
  return trace;
}
