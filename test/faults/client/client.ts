import { createHash } from 'node:crypto';
import type { TestAccountKey } from './account.ts';
import { textOfDocx } from './templates.ts';

export interface Answer {
  /** 0 when the connection broke before an answer. */
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
  readonly durationMs: number;
  readonly what: string;
  readonly accountId: string;
}

export interface GenerateOptions {
  readonly templateId: string;
  readonly key?: string | undefined;
  readonly format?: 'docx' | 'pdf' | undefined;
  readonly email?: Readonly<Record<string, unknown>> | undefined;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  readonly output?: Readonly<Record<string, unknown>> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly api?: string | undefined;
}

/** All answers that the clients of a row received; the checks of answers read it. */
export interface History {
  readonly answers: Answer[];
  /** Documents that were answered, by idempotency key or, without one, per request. */
  readonly delivered: Map<string, { readonly accountId: string; readonly digest: string }>;
  readonly faults: string[];
}

let orders = 0;

/** A client of one account. It never throws for a failure of the service, which is part of the answer. */
export class Client {
  readonly account: TestAccountKey;
  readonly #baseUrl: () => string;
  readonly #history: History;

  constructor(account: TestAccountKey, baseUrl: () => string, history: History) {
    this.account = account;
    this.#baseUrl = baseUrl;
    this.#history = history;
  }

  async call(
    method: string,
    path: string,
    init: RequestInit & { readonly api?: string | undefined } = {},
  ): Promise<Answer> {
    const headers = new Headers(init.headers);
    if (!headers.has('Authorization')) headers.set('Authorization', `Bearer ${this.account.apiKey}`);
    const startedAt = performance.now();
    const base = { what: `${method} ${path}`, accountId: this.account.accountId };
    try {
      const response = await fetch(`${init.api ?? this.#baseUrl()}${path}`, { ...init, method, headers });
      const body = Buffer.from(await response.arrayBuffer());
      const durationMs = performance.now() - startedAt;
      return this.#record({ ...base, status: response.status, headers: response.headers, body, durationMs });
    } catch {
      const durationMs = performance.now() - startedAt;
      return this.#record({ ...base, status: 0, headers: new Headers(), body: Buffer.alloc(0), durationMs });
    }
  }

  async generate(options: GenerateOptions): Promise<Answer> {
    const { templateId, key, format = 'docx', email } = options;
    const order = key ?? `order-${++orders}`;
    const data = { canary: this.account.canary, order, ...options.data };
    const answer = await this.call('POST', `/v1/templates/${templateId}/generate`, {
      body: JSON.stringify({ data, output: { format, ...(email === undefined ? {} : { email }), ...options.output } }),
      headers: { 'Content-Type': 'application/json', ...(key === undefined ? {} : { 'Idempotency-Key': key }) },
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      api: options.api,
    });
    if (answer.status === 200) this.#deliver(`${this.account.accountId} ${order}`, answer, format);
    return answer;
  }

  async upload(
    name: string,
    file: Buffer,
    init: { readonly key?: string; readonly api?: string } = {},
  ): Promise<Answer> {
    const form = new FormData();
    form.set('name', name);
    form.set('file', new Blob([new Uint8Array(file)]), name);
    const headers = init.key === undefined ? {} : { 'Idempotency-Key': init.key };
    return this.call('POST', '/v1/templates', { body: form, headers, api: init.api });
  }

  async quotas(): Promise<{ readonly docs: number; readonly templates: number }> {
    const answer = await this.call('GET', '/v1/account/quotas');
    if (answer.status !== 200) throw new Error(`quotas answered ${answer.status}`);
    return (JSON.parse(answer.body.toString()) as { remaining: { total: { docs: number; templates: number } } })
      .remaining.total;
  }

  async delivery(
    id: string,
  ): Promise<{ readonly status: string; readonly recipients: { address: string; status: string }[] }> {
    const answer = await this.call('GET', `/v1/deliveries/${id}`);
    if (answer.status !== 200) throw new Error(`the delivery answered ${answer.status}`);
    return JSON.parse(answer.body.toString()) as never;
  }

  #record(answer: Answer): Answer {
    this.#history.answers.push(answer);
    return answer;
  }

  #deliver(order: string, answer: Answer, format: 'docx' | 'pdf'): void {
    const { accountId, canary } = this.account;
    const digest = createHash('sha256').update(answer.body).digest('hex');
    const before = this.#history.delivered.get(order);
    if (before !== undefined && before.digest !== digest) this.#history.faults.push(`${order}: two answers differ`);
    this.#history.delivered.set(order, { accountId, digest });
    const isWhole = format === 'pdf' ? isPdf(answer.body) : isOwnDocx(answer.body, canary, order);
    if (!isWhole)
      this.#history.faults.push(`${order}: answered 200 with a ${format} that is not the account's document`);
    if (answer.headers.get('Content-Length') !== String(answer.body.length))
      this.#history.faults.push(`${order}: the answer's length is not its Content-Length`);
  }
}

function isPdf(bytes: Buffer): boolean {
  return bytes.subarray(0, 5).toString('latin1') === '%PDF-' && bytes.subarray(-1_024).includes('%%EOF');
}

function isOwnDocx(bytes: Buffer, canary: string, order: string): boolean {
  const text = textOfDocx(bytes);
  const owners = new Set(text?.match(/canary[0-9a-f]{24}/g));
  return text !== undefined && owners.size === 1 && owners.has(canary) && text.includes(order.split(' ')[1] ?? order);
}
