import { createAdmin } from './admin.ts';
import { type Batches, createBatches } from './batches.ts';
import { DocmillError } from './errors.ts';
import { createHttp } from './http.ts';
import {
  createAccount,
  createAssets,
  createDeliveries,
  createDictionary,
  createFonts,
  createInvoices,
  createJobs,
  createWebhooks,
} from './resources.ts';
import { type CallOptions, type Connection, type Query, sendRequest } from './send-request.ts';
import { createTemplates, type Templates } from './templates.ts';

export interface DocmillOptions {
  /** An API key of the account. Default: the environment variable DOCMILL_API_KEY. */
  readonly apiKey?: string | undefined;
  /**
   * The address of the service, such as `https://docmill.example.com`. Default: the environment variable DOCMILL_URL. In
   * a page of the service itself: `location.origin`.
   */
  readonly baseUrl?: string | undefined;
  /** The timeout of one attempt, in milliseconds. Default: 120,000; the service waits 60,000 for a document. */
  readonly timeoutMs?: number;
  /** The number of retries after a failed attempt. Default: 3. */
  readonly maxRetries?: number;
  /** The pause before the first retry, in milliseconds; it doubles with each retry, up to 8,000. Default: 300. */
  readonly retryDelayMs?: number;
  /** The longest `Retry-After` that is waited for, in milliseconds; a longer one fails at once. Default: 60,000. */
  readonly maxRetryAfterMs?: number;
  /** Replaces the runtime's fetch. */
  readonly fetch?: typeof globalThis.fetch;
}

/** A client for one account. It keeps no connections open and needs no closing. */
export class Docmill {
  readonly #connection: Connection;
  readonly templates: Templates;
  readonly jobs: ReturnType<typeof createJobs>;
  readonly batches: Batches;
  readonly deliveries: ReturnType<typeof createDeliveries>;
  readonly webhooks: ReturnType<typeof createWebhooks>;
  readonly assets: ReturnType<typeof createAssets>;
  readonly fonts: ReturnType<typeof createFonts>;
  readonly invoices: ReturnType<typeof createInvoices>;
  readonly dictionary: ReturnType<typeof createDictionary>;
  readonly account: ReturnType<typeof createAccount>;

  /** Throws DocmillError for a missing or invalid address or key. */
  constructor(options: DocmillOptions = {}) {
    this.#connection = connect(options);
    const http = createHttp(this.#connection);
    this.templates = createTemplates(http);
    this.jobs = createJobs(http);
    this.batches = createBatches(http);
    this.deliveries = createDeliveries(http);
    this.webhooks = createWebhooks(http);
    this.assets = createAssets(http);
    this.fonts = createFonts(http);
    this.invoices = createInvoices(http);
    this.dictionary = createDictionary(http);
    this.account = createAccount(http);
  }

  /**
   * Calls an operation by its method and path, such as `request('GET', '/v1/account/quotas')`. Use it for operations
   * that this version of the client has no function for. Returns the JSON of the response, or undefined if it has no
   * body.
   */
  async request(
    method: string,
    path: string,
    { query, json, ...options }: CallOptions & { readonly query?: Query; readonly json?: unknown } = {},
  ): Promise<unknown> {
    const text = json === undefined ? undefined : JSON.stringify(json);
    const body = text === undefined ? undefined : { contentType: 'application/json', open: () => ({ body: text }) };
    return sendRequest(this.#connection, { method, path, query, body, ...options }, async (response) => {
      const answer = await response.text();
      return answer === '' ? undefined : (JSON.parse(answer) as unknown);
    });
  }
}

export interface DocmillAdminOptions extends Omit<DocmillOptions, 'apiKey'> {
  /** An operator key. Default: the environment variable DOCMILL_OPERATOR_KEY. */
  readonly operatorKey?: string | undefined;
}

type Admin = ReturnType<typeof createAdmin>;

/** A client of the admin API, for operators of a service. */
export class DocmillAdmin {
  readonly accounts: Admin['accounts'];
  readonly keys: Admin['keys'];
  readonly operations: Admin['operations'];
  readonly erasures: Admin['erasures'];
  readonly operatorKeys: Admin['operatorKeys'];
  readonly audit: Admin['audit'];

  /** Throws DocmillError for a missing or invalid address or key. */
  constructor({ operatorKey = variable('DOCMILL_OPERATOR_KEY'), ...options }: DocmillAdminOptions = {}) {
    if (!operatorKey) throw new DocmillError('operatorKey is missing: pass it, or set DOCMILL_OPERATOR_KEY');
    const admin = createAdmin(connect({ ...options, apiKey: operatorKey }));
    this.accounts = admin.accounts;
    this.keys = admin.keys;
    this.operations = admin.operations;
    this.erasures = admin.erasures;
    this.operatorKeys = admin.operatorKeys;
    this.audit = admin.audit;
  }
}

function connect(options: DocmillOptions): Connection {
  const { apiKey = variable('DOCMILL_API_KEY'), baseUrl = variable('DOCMILL_URL') } = options;
  if (!apiKey) throw new DocmillError('apiKey is missing: pass it, or set DOCMILL_API_KEY');
  if (!baseUrl) throw new DocmillError('baseUrl is missing: pass it, or set DOCMILL_URL');
  // The messages never contain the key.
  if (!/^[!-~]+$/.test(apiKey)) throw new DocmillError('apiKey must be visible ASCII without spaces');
  const { timeoutMs = 120_000, maxRetries = 3, retryDelayMs = 300, maxRetryAfterMs = 60_000 } = options;
  const numbers = { timeoutMs, maxRetries, retryDelayMs, maxRetryAfterMs };
  for (const [name, value] of Object.entries(numbers)) {
    if (!(Number.isFinite(value) && value >= 0)) throw new DocmillError(`${name} must be a number of at least 0`);
  }
  // Browsers refuse a fetch called as a method of another object.
  const fetch = options.fetch ?? ((...args) => globalThis.fetch(...args));
  return { baseUrl: parseBaseUrl(baseUrl), apiKey, fetch, ...numbers };
}

/** An environment variable; browsers have none. */
function variable(name: string): string | undefined {
  const { process } = globalThis as { readonly process?: { readonly env?: Readonly<Record<string, string>> } };
  return process?.env?.[name];
}

function parseBaseUrl(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch (cause) {
    throw new DocmillError('baseUrl must be an address such as https://docmill.example.com', { cause });
  }
  const hasMore = url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '';
  if (!/^https?:$/.test(url.protocol) || hasMore) {
    throw new DocmillError('baseUrl must be an http or https address without a user, query or fragment');
  }
  return url.href.replace(/\/+$/, '');
}
