import { isObject } from '../../shared/json.ts';
import { header, optionalHeader } from '../routes/common-schemas.ts';
import { type OpenApiDocument, operationsOf } from './walk.ts';

/** The headers of every response. */
const ofAll = {
  'X-Request-Id': optionalHeader(
    'Id of the request: the one that the request sent, or a new one. Name it when you report a problem.',
  ),
  traceparent: optionalHeader(
    'The trace of the request (W3C Trace Context), when it sent a valid one or spans are recorded.',
  ),
  'RateLimit-Policy': optionalHeader('The rate limit: requests and seconds, such as `"default";q=100;w=60`.'),
  RateLimit: optionalHeader('Requests left, and seconds until the limit is reset, such as `"default";r=99;t=42`.'),
};
/** The headers of error responses. */
const ofErrors = {
  'Error-Code': optionalHeader(
    'Code of the error for programs, such as `invalid_request`. Missing only for invalid HTTP.',
  ),
};
const ofKeys = {
  'WWW-Authenticate': header(
    '`Bearer`; with 403 also the error and the scope that the key lacks (RFC 6750, section 3).',
  ),
};

export const commonHeaders = { ...ofAll, ...ofErrors, ...ofKeys };

export function addCommonHeaders(document: OpenApiDocument): void {
  for (const { responses } of operationsOf(document)) {
    for (const [status, response] of Object.entries(responses)) {
      if (!isObject(response)) continue;
      const names = [
        ...Object.keys(ofAll),
        ...(Number(status) >= 400 ? Object.keys(ofErrors) : []),
        ...(status === '401' || status === '403' ? Object.keys(ofKeys) : []),
      ];
      const refs = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
      response.headers = { ...(isObject(response.headers) ? response.headers : {}), ...Object.fromEntries(refs) };
    }
  }
}
