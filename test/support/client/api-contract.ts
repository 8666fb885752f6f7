import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

interface MediaType {
  readonly schema?: { readonly format?: string };
}
interface Header {
  readonly required?: boolean;
  readonly $ref?: string;
}
interface Response {
  readonly content?: Readonly<Record<string, MediaType>>;
  readonly headers?: Readonly<Record<string, Header>>;
}
export interface OpenApi {
  readonly openapi: string;
  readonly components: { readonly headers: Readonly<Record<string, Header>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Record<string, Response> }>>>>;
}

export interface ObservedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** Returns how a response violates the service's OpenAPI document, or undefined if it does not. */
export type ContractCheck = (method: string, path: string, answer: ObservedAnswer) => string | undefined;

/** Paths that the document does not list are not checked. */
export function createContractCheck(document: OpenApi): ContractCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document as object, 'reference');
  const validators = new Map<string, ValidateFunction>();
  const validate = (pointer: string): ValidateFunction => {
    const known = validators.get(pointer) ?? ajv.compile({ $ref: `reference#${pointer}` });
    validators.set(pointer, known);
    return known;
  };
  // A path without parameters takes precedence over one with parameters (OpenAPI 3.1, 4.8.8.2).
  const paths = Object.keys(document.paths).sort((a, b) => Number(a.includes('{')) - Number(b.includes('{')));
  const templates = paths.map((path) => ({ path, pattern: toPattern(path) }));
  const resolve = (header: Header): Header =>
    document.components.headers[header.$ref?.split('/').at(-1) ?? ''] ?? header;
  return (method, path, answer) => {
    const pathname = path.split('?')[0] ?? path;
    const known = templates.find(({ pattern }) => pattern.test(pathname))?.path ?? '';
    const operation = document.paths[known]?.[method.toLowerCase()];
    if (operation === undefined) return undefined;
    const name = `${method} ${known} ${answer.status}`;
    const response = operation.responses[String(answer.status)];
    if (response === undefined) return `${name} is not in the OpenAPI document`;
    const missing = Object.entries(response.headers ?? {}).find(
      ([key, header]) => resolve(header).required === true && !answer.headers.has(key),
    );
    if (missing !== undefined) return `${name} has no ${missing[0]}`;
    const types = Object.keys(response.content ?? {});
    if (types.length === 0)
      return answer.bytes.length === 0 ? undefined : `${name} has a body that is not in the OpenAPI document`;
    const type = answer.headers.get('Content-Type')?.split(';')[0] ?? '';
    if (!types.includes(type)) return `${name} is of the type "${type}", the OpenAPI document says ${types.join(', ')}`;
    if (type !== 'application/json') return undefined;
    const pointer = [
      'paths',
      known,
      method.toLowerCase(),
      'responses',
      String(answer.status),
      'content',
      type,
      'schema',
    ];
    const check = validate(
      pointer.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join(''),
    );
    return check(JSON.parse(answer.bytes.toString('utf8'))) ? undefined : `${name}: ${ajv.errorsText(check.errors)}`;
  };
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}
