import { addressOf, type FuzzRequest } from './requests.ts';

const maxAttempts = 40;

/**
 * Removes the parts of a request that the violation does not need, one at a time. `stillFails` sends a request and
 * checks the response.
 */
export async function minimize(
  request: FuzzRequest,
  stillFails: (request: FuzzRequest) => Promise<boolean>,
): Promise<FuzzRequest> {
  let smallest = request;
  for (let attempts = 0, isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of smallerRequests(smallest)) {
      attempts += 1;
      if (attempts > maxAttempts) return smallest;
      if (!(await stillFails(candidate))) continue;
      smallest = candidate;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

function* smallerRequests(request: FuzzRequest): Generator<FuzzRequest> {
  for (const name of Object.keys(request.headers)) yield { ...request, headers: without(request.headers, name) };
  for (const [index] of request.query.entries()) {
    yield { ...request, query: request.query.filter((_, at) => at !== index) };
  }
  const { body } = request;
  if (body?.type === 'form') {
    for (const name of Object.keys(body.fields))
      yield { ...request, body: { ...body, fields: without(body.fields, name) } };
  }
  if (body?.type === 'json') {
    if (body.isCompressed === true) yield { ...request, body: { type: 'json', value: body.value } };
    for (const value of smallerValues(body.value)) yield { ...request, body: { ...body, value } };
  }
}

function* smallerValues(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    if (value.length > 1) yield value.slice(0, Math.ceil(value.length / 2));
    for (const [index, entry] of value.entries()) {
      yield value.filter((_, at) => at !== index);
      for (const smaller of smallerValues(entry))
        yield value.map((other: unknown, at) => (at === index ? smaller : other));
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, entry] of Object.entries(value)) {
      yield without({ ...value }, name);
      for (const smaller of smallerValues(entry)) yield { ...value, [name]: smaller };
    }
  } else if (typeof value === 'string' && value.length > 20) yield value.slice(0, Math.ceil(value.length / 2));
}

function without<T>(value: Readonly<Record<string, T>>, name: string): Record<string, T> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}

/** Describes the request in a few lines of text. */
export function describeRequest(request: FuzzRequest): string {
  const lines = [`${request.operation.method.toUpperCase()} ${addressOf(request)}`];
  for (const [name, value] of Object.entries(request.headers)) lines.push(`${name}: ${JSON.stringify(value)}`);
  if (request.body !== undefined) lines.push(JSON.stringify(request.body).slice(0, 1_500));
  return lines.join('\n    ');
}
