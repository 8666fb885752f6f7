import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { createContractCheck, type OpenApi } from '../../test/support/client/api-contract.ts';
import { type Answer, addressOf, type FuzzRequest, type Operation } from './requests.ts';
import type { Schema } from './values.ts';

export interface FuzzDocument extends OpenApi {
  readonly components: OpenApi['components'] & { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Describes how the response violates the document, or undefined if it does not. */
export type AnswerCheck = (request: FuzzRequest, answer: Answer) => string | undefined;

/** Headers of HTTP itself, which the document does not list. */
const headersOfHttp = new Set([
  ...['connection', 'keep-alive', 'date', 'content-type', 'content-length', 'transfer-encoding', 'cache-control'],
  ...['vary', 'x-content-type-options', 'content-security-policy', 'allow', 'x-accel-buffering'],
]);

/**
 * Fields that the schema describes only in part: names of languages and time zones, addresses and domains, list
 * positions, resource states, and templates and data, which depend on each other.
 */
const describedInPart =
  /^(output\.)?(locale|timezone)$|callbackUrl$|^url$|^cursor$|email|^If-|^file$|^sampleData|^from$|^to$|^filename$|^data|^output\.filename$|^emailTo$|^(to|cc|bcc)\[/;

export function createAnswerCheck(document: FuzzDocument): AnswerCheck {
  const contract = createContractCheck(document);
  const acceptsBody = createBodyCheck(document);
  return (request, answer) => {
    const { operation, isForeign } = request;
    const { status } = answer;
    if (status >= 500 && !isSaturated(answer)) return `answers ${status}: ${textOf(answer)}`;
    const method = operation.method.toUpperCase();
    const isStream = answer.headers.get('Content-Type')?.startsWith('text/event-stream') === true;
    const isKnownPath = !addressOf(request).includes('%20/') && !/\/%20(\?|$)/.test(addressOf(request));
    const problem = isKnownPath ? contract(method, addressOf(request), answer) : undefined;
    if (problem !== undefined && !isStream) return problem;
    const unknown = undocumentedHeader(document, operation, answer);
    if (isKnownPath && unknown !== undefined) return `responds with ${status} and the undocumented header ${unknown}`;
    if (isForeign && status < 300) return `returns another account's resource (${status})`;
    const verdict = acceptsBody(request);
    if (verdict === false && status < 300) return 'accepts a body that its schema does not allow';
    if (verdict === true && status === 400) return refusalOf(request, answer);
    return undefined;
  };
}

/** Overload is not a defect if the response says when to retry. */
export function isSaturated({ status, headers }: Answer): boolean {
  return status === 503 && headers.has('Retry-After');
}

/** Detects that the service refused a body field that the schema allows. */
function refusalOf({ body, query }: FuzzRequest, answer: Answer): string | undefined {
  const { error } = JSON.parse(answer.bytes.toString('utf8')) as {
    error: { details?: readonly { type: string; path?: string; message: string }[] };
  };
  const field = error.details?.find(({ type, path = '' }) => type === 'Field' && isInBody(body, path));
  // A parameter may have the same name as a field.
  if (query.some(([name]) => name === field?.path)) return undefined;
  if (field === undefined || describedInPart.test(field.path ?? '')) return undefined;
  return `refuses a body that its schema allows: ${field.path}: ${field.message}`;
}

function isInBody(body: FuzzRequest['body'], path: string): boolean {
  const first = path.split(/[.[]/)[0] ?? '';
  return body?.type === 'json' && typeof body.value === 'object' && body.value !== null && first in body.value;
}

function undocumentedHeader(
  document: FuzzDocument,
  operation: Operation,
  { status, headers }: Answer,
): string | undefined {
  const response = document.paths[operation.path]?.[operation.method]?.responses[String(status)];
  const documented = new Set(Object.keys(response?.headers ?? {}).map((name) => name.toLowerCase()));
  return [...headers.keys()].find((name) => !documented.has(name) && !headersOfHttp.has(name));
}

/**
 * Creates a check of JSON bodies against their schema, which returns undefined for other bodies. The rows of a batch
 * fail individually.
 */
function createBodyCheck(document: FuzzDocument): (request: FuzzRequest) => boolean | undefined {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document as object, 'reference');
  const validators = new Map<string, ValidateFunction>();
  return ({ operation, body }) => {
    const ref = operation.bodies['application/json']?.$ref;
    if (body?.type !== 'json' || ref === undefined) return undefined;
    const validate = validators.get(ref) ?? ajv.compile({ $ref: `reference${ref}` });
    validators.set(ref, validate);
    const text = JSON.stringify(body.value);
    if (text === undefined) return undefined;
    // Each row can fail on its own, and a valid row can still be refused.
    if (validate(JSON.parse(text))) return true;
    return validate.errors?.every(({ instancePath }) => /^\/items\/\d/.test(instancePath)) === true ? undefined : false;
  };
}

function textOf({ bytes }: Answer): string {
  return bytes.toString('utf8').slice(0, 300);
}
