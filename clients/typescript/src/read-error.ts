import { type ApiError, createApiError, type ErrorDetail } from './errors.ts';

const maxErrorBytes = 4_000_000;

/** Reads the response of a failed request: the service's error, or the body that a proxy wrote. */
export async function readError(response: Response, idempotencyKey: string | undefined): Promise<ApiError> {
  const { status, headers } = response;
  const text = await readText(response);
  const { message, details } = parseProblem(text) ?? { message: describeForeign(response), details: [] };
  return createApiError(message, {
    status,
    code: headers.get('Error-Code') ?? '',
    details,
    documentId: headers.get('Document-Id') ?? undefined,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfterMs: parseRetryAfter(headers.get('Retry-After')),
    idempotencyKey,
  });
}

function parseProblem(text: string): { message: string; details: readonly ErrorDetail[] } | undefined {
  try {
    const { error } = JSON.parse(text) as {
      readonly error?: { readonly message?: unknown; readonly details?: unknown };
    };
    if (typeof error?.message !== 'string') return undefined;
    return { message: error.message, details: Array.isArray(error.details) ? (error.details as ErrorDetail[]) : [] };
  } catch {
    return undefined;
  }
}

function describeForeign({ status, headers, type }: Response): string {
  const isRedirect = type === 'opaqueredirect' || (status >= 300 && status < 400);
  if (!isRedirect) return `The server answered ${status} without an error of Docmill: is baseUrl its address?`;
  const target = headers.get('Location');
  return `The server answered with a redirect${target === null ? '' : ` to ${target}`}: set baseUrl to the final address`;
}

async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder();
  let text = '';
  for (let sizeBytes = 0; sizeBytes <= maxErrorBytes; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    sizeBytes += value.byteLength;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text;
}

/** Parses seconds or a date (RFC 9110, 10.2.3) as milliseconds from now. */
function parseRetryAfter(value: string | null): number | undefined {
  if (value === null || value.trim() === '') return undefined;
  const seconds = Number(value);
  const delayMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(delayMs) ? undefined : Math.max(0, delayMs);
}
