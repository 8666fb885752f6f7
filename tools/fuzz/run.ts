import { createAnswerCheck, type FuzzDocument, isSaturated } from './check-answer.ts';
import { makeFiles } from './files.ts';
import { describeRequest, minimize } from './minimize.ts';
import { createRandom, type Random } from './random.ts';
import { type Answer, addressOf, type FuzzRequest, makeRequest, type Operation, send } from './requests.ts';
import { createResources } from './resources.ts';
import { createValueMaker, type Schema } from './values.ts';

export interface FuzzOptions {
  readonly url: string;
  readonly apiKey: string;
  /** The key of another account, whose resources must not be accessible. */
  readonly otherKey: string | undefined;
  readonly requests: number;
  readonly seed: number;
}

export interface FuzzReport {
  /** The number of responses by operation and status. */
  readonly counts: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly violations: readonly string[];
  readonly sent: number;
  readonly saturated: number;
}

const concurrency = 8;
const maxViolations = 20;

/** Sends requests generated from the service's OpenAPI document, and checks each response against it. */
export async function fuzz({ url, apiKey, otherKey, requests, seed }: FuzzOptions): Promise<FuzzReport> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as FuzzDocument;
  const check = createAnswerCheck(document);
  const operations = readOperations(document);
  const files = makeFiles();
  const random = createRandom(seed);
  const resources = createResources(random);
  const makers = { random, resources, values: createValueMaker(random, document.components.schemas) };
  const counts = new Map<string, Map<string, number>>();
  const violations = new Map<string, string>();
  let sent = 0;
  let saturated = 0;
  if (otherKey !== undefined) await makeForeignResources();

  async function makeForeignResources(): Promise<void> {
    const upload = operations.find(({ operationId }) => operationId === 'uploadTemplate');
    if (upload === undefined) return;
    const body = { type: 'form', fields: { name: 'other.docx', file: 'template' } } as const;
    const request = { operation: upload, pathValues: {}, query: [], headers: {}, body, isForeign: false };
    const answer = await send(url, otherKey ?? '', request, files);
    if (answer !== undefined) resources.learn(jsonOf(answer), true);
  }

  const attempt = async (request: FuzzRequest): Promise<{ answer?: Answer; problem?: string | undefined }> => {
    try {
      const answer = await send(url, apiKey, request, files);
      return answer === undefined ? {} : { answer, problem: check(request, answer) };
    } catch (error) {
      // The service closes the connection without reading the body if the headers are too long.
      if (addressOf(request).length > 8_000 && request.body !== undefined) return {};
      return {
        problem: `no response: ${error instanceof Error ? `${error.message} ${String(error.cause ?? '')}` : String(error)}`,
      };
    }
  };

  const one = async (): Promise<void> => {
    const request = makeRequest(pickOperation(random, operations), makers);
    const { answer, problem } = await attempt(request);
    const name = request.operation.operationId;
    if (answer !== undefined) {
      const byStatus = counts.get(name) ?? new Map<string, number>();
      byStatus.set(String(answer.status), (byStatus.get(String(answer.status)) ?? 0) + 1);
      counts.set(name, byStatus);
      if (isSaturated(answer)) saturated += 1;
      if (answer.status < 300) resources.learn(jsonOf(answer));
    }
    const kind = `${name}: ${problem?.slice(0, 60)}`;
    if (problem === undefined || violations.has(kind) || violations.size >= maxViolations) return;
    violations.set(kind, '');
    const smallest = await minimize(
      request,
      async (candidate) => (await attempt(candidate)).problem?.slice(0, 60) === problem.slice(0, 60),
    );
    violations.set(kind, `${name} ${problem}\n    ${describeRequest(smallest)}`);
  };

  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (sent < requests && violations.size < maxViolations) {
        sent += 1;
        await one();
      }
    }),
  );
  return { counts, violations: [...violations.values()], sent, saturated };
}

/**
 * Tries operations that create resources more often than those that delete them, so that there are resources to work
 * on.
 */
function pickOperation(random: Random, operations: readonly [Operation, ...Operation[]]): Operation {
  const picked = random.pick(operations);
  if (picked.method === 'delete' && random.chance(0.7)) return pickOperation(random, operations);
  const makers = operations.filter(({ operationId }) =>
    /^(generateDocument|startJob|createBatch|upload)/.test(operationId),
  );
  const [first, ...others] = makers;
  return first !== undefined && random.chance(0.12) ? random.pick([first, ...others]) : picked;
}

function readOperations(document: FuzzDocument): [Operation, ...Operation[]] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const {
        operationId,
        parameters = [],
        requestBody,
      } = described as unknown as {
        operationId: string;
        parameters?: Operation['parameters'];
        requestBody?: { content: Readonly<Record<string, { schema: Schema }>> };
      };
      const bodies = Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => [type, schema] as const);
      return { operationId, method, path, parameters, bodies: Object.fromEntries(bodies) };
    }),
  );
  const [first, ...others] = operations;
  if (first === undefined) throw new Error('the OpenAPI document has no operations');
  return [first, ...others];
}

function jsonOf({ headers, bytes }: Answer): unknown {
  if (headers.get('Content-Type')?.startsWith('application/json') !== true) {
    return [headers.get('Email-Delivery-Id'), headers.get('Document-Id')];
  }
  return JSON.parse(bytes.toString('utf8'));
}
