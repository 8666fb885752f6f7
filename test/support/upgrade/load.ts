import { setTimeout as delay } from 'node:timers/promises';

/** A call of a client. */
export interface Call {
  readonly kind: CallKind;
  /** 0 when the connection broke. */
  readonly status: number;
  readonly ms: number;
  readonly startedAt: number;
  readonly problem: string | undefined;
}

export const callKinds = ['docx', 'pdf', 'email', 'job', 'list', 'quotas'] as const;
export type CallKind = (typeof callKinds)[number];

export interface LoadOptions {
  readonly url: () => string;
  readonly apiKey: string;
  readonly templateId: string;
  readonly clients: number;
  /** Pause of each client after a call. */
  readonly pauseMs: number;
  readonly kinds: readonly CallKind[];
}

export interface Load {
  /** Waits for the running calls. */
  stop(): Promise<readonly Call[]>;
}

/** Starts clients, each of which makes one call after another until they are stopped. */
export function startLoad(options: LoadOptions): Load {
  const calls: Call[] = [];
  let isStopped = false;
  const runClient = async (client: number): Promise<void> => {
    for (let turn = client; !isStopped; turn++) {
      const kind = options.kinds[turn % options.kinds.length] ?? 'docx';
      calls.push(await call(options, kind));
      await delay(options.pauseMs);
    }
  };
  const clients = Array.from({ length: options.clients }, (_, client) => runClient(client));
  return {
    async stop() {
      isStopped = true;
      await Promise.all(clients);
      return calls;
    },
  };
}

async function call(options: LoadOptions, kind: CallKind): Promise<Call> {
  const startedAt = performance.now();
  try {
    const answer = await fetch(`${options.url()}${pathOf(options, kind)}`, requestOf(options, kind));
    const body = Buffer.from(await answer.arrayBuffer());
    const problem = answer.ok ? undefined : body.toString().slice(0, 300);
    return { kind, status: answer.status, ms: performance.now() - startedAt, startedAt, problem };
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return { kind, status: 0, ms: performance.now() - startedAt, startedAt, problem: String(cause) };
  }
}

function pathOf({ templateId }: LoadOptions, kind: CallKind): string {
  if (kind === 'quotas') return '/v1/account/quotas';
  if (kind === 'list') return '/v1/jobs?limit=20';
  return `/v1/templates/${templateId}/generate`;
}

function requestOf({ apiKey }: LoadOptions, kind: CallKind): RequestInit {
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  if (kind === 'quotas' || kind === 'list') return { headers };
  const output = {
    format: kind === 'pdf' ? 'pdf' : 'docx',
    ...(kind === 'email' ? { email: { to: ['ada@sink.test'] } } : {}),
  };
  const prefer = kind === 'job' ? { Prefer: 'respond-async' } : {};
  return {
    method: 'POST',
    headers: { ...headers, ...prefer },
    body: JSON.stringify({ data: { canary: 'load', order: kind }, output }),
  };
}

/** The number of accepted documents among the calls, each of which is charged once. */
export function documentsOf(calls: readonly Call[]): number {
  return calls.filter(({ kind, problem }) => problem === undefined && kind !== 'list' && kind !== 'quotas').length;
}
