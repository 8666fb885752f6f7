import type { components } from './generated-api.ts';
import type { FileInput, Http } from './http.ts';
import { formBody, jsonBody, path } from './http.ts';
import type { CallOptions } from './send-request.ts';
import { pause } from './send-request.ts';

type Schemas = components['schemas'];
type Job = Schemas['Job'];

const pollMs = 1_000;

type JobQuery = {
  readonly status?: Schemas['JobStatus'] | undefined;
  readonly templateId?: string | undefined;
  readonly batchId?: string | undefined;
  readonly format?: Schemas['DocumentFormat'] | undefined;
  /** Only documents of test keys, or only those of live keys. */
  readonly test?: boolean | undefined;
  /** Part of an id, a file name or a recipient, ignoring case. */
  readonly search?: string | undefined;
} & Period;

/** A page of the resources created in a period. */
type Period = {
  /** Times such as `2026-11-01T00:00:00Z`; `from` is inclusive, `to` is exclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly limit?: number | undefined;
};

type DeliveryQuery = {
  readonly status?: Schemas['DeliveryStatus'] | undefined;
  /** Part of a delivery id, document id or recipient, ignoring case. */
  readonly search?: string | undefined;
} & Period;

type UsageQuery = {
  /** Days in UTC, such as `2026-11-01`; both are inclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly groupBy?: Schemas['Usage']['groupBy'] | undefined;
  /** Only documents of this template. */
  readonly templateId?: string | undefined;
};

/** Documents, which the API calls jobs. */
export function createJobs(http: Http) {
  const get = (id: string, call?: CallOptions) => http.json<Job>('GET', path`/v1/jobs/${id}`, call);
  return {
    /** The state of a document, its warnings and timings. */
    get,
    /** The documents of the account, newest first; `limit` is the page size. */
    list: (query?: JobQuery, call?: CallOptions) => http.pages<Schemas['JobList'][number]>('/v1/jobs', query, call),
    /** Polls until the job has ended: `succeeded`, `failed` or `cancelled`. Limit the wait with `signal`. */
    async wait(id: string, call?: CallOptions): Promise<Job> {
      for (let delayMs = 100; ; delayMs = Math.min(delayMs * 2, pollMs)) {
        const job = await get(id, call);
        if (job.finishedAt !== undefined) return job;
        await pause(delayMs, call?.signal);
      }
    },
    /** The file of a succeeded document, as long as the service keeps it. */
    download: (id: string, call?: CallOptions) => http.bytes('GET', path`/v1/jobs/${id}/content`, call),
    /** The request for the document: template, options and, if stored, the data. */
    request: (id: string, call?: CallOptions) =>
      http.json<Schemas['JobRequest']>('GET', path`/v1/jobs/${id}/request`, call),
    /** The history of the document in order: waiting, rendering, converting, e-mail and webhooks. */
    timeline: (id: string, call?: CallOptions) =>
      http.json<Schemas['TimelineEntry'][]>('GET', path`/v1/jobs/${id}/timeline`, call),
    /** The signed proof of how the document was made. */
    receipt: (id: string, call?: CallOptions) =>
      http.json<Schemas['SignedReceipt']>('GET', path`/v1/jobs/${id}/receipt`, call),
    /** Cancels a document that is not produced yet; throws ConflictError otherwise. */
    cancel: (id: string, call?: CallOptions) => http.empty('DELETE', path`/v1/jobs/${id}`, call),
  };
}

/** Documents sent by e-mail. */
export function createDeliveries(http: Http) {
  return {
    /** The e-mails of the account, newest first. */
    list: (query?: DeliveryQuery, call?: CallOptions) =>
      http.pages<Schemas['DeliveryList'][number]>('/v1/deliveries', query, call),
    /** The state of an e-mail, by its id, `document.emailDeliveryId`. */
    get: (id: string, call?: CallOptions) => http.json<Schemas['Delivery']>('GET', path`/v1/deliveries/${id}`, call),
    /** Sends the e-mail of a document again, to these recipients, as a new delivery. */
    create: (delivery: Schemas['DeliveryRequest'], call?: CallOptions) =>
      http.json<Schemas['Delivery']>('POST', '/v1/deliveries', { ...call, body: jsonBody(delivery) }),
    /** Tries an ended delivery again, for the recipients whose delivery is not confirmed. */
    resend: (id: string, call?: CallOptions) =>
      http.json<Schemas['Delivery']>('POST', path`/v1/deliveries/${id}/resend`, call),
  };
}

/** Addresses that are notified of events. */
export function createWebhooks(http: Http) {
  type Webhook = Schemas['Webhook'];
  type Delivery = Schemas['WebhookDelivery'];
  return {
    /** Registers an address for events. Store the secret: only this response and that of `rotateSecret` contain it. */
    create: (webhook: Schemas['WebhookRequest'], call?: CallOptions) =>
      http.json<Webhook>('POST', '/v1/webhooks', { ...call, body: jsonBody(webhook) }),
    /** The webhooks of the account. */
    list: (call?: CallOptions) => http.pages<Schemas['WebhookList'][number]>('/v1/webhooks', {}, call),
    /** A webhook without its secret; only `callbacks`, the webhook of `callbackUrl`, includes it. */
    get: (id: string, call?: CallOptions) => http.json<Webhook>('GET', path`/v1/webhooks/${id}`, call),
    /** Changes the address, events or description, or re-enables the webhook. */
    update: (id: string, changes: Schemas['WebhookChanges'], call?: CallOptions) =>
      http.json<Webhook>('PATCH', path`/v1/webhooks/${id}`, { ...call, body: jsonBody(changes) }),
    /** Deletes the webhook and its deliveries. */
    delete: (id: string, call?: CallOptions) =>
      http.empty('DELETE', path`/v1/webhooks/${id}`, { ...call, isDoneWhenAbsent: true }),
    /** Sends an event of type `webhook.test`. */
    test: (id: string, call?: CallOptions) => http.json<Delivery>('POST', path`/v1/webhooks/${id}/test`, call),
    /** Creates a new secret; for a transition period, events are signed with both. */
    rotateSecret: (id: string, call?: CallOptions) =>
      http.json<Webhook>('POST', path`/v1/webhooks/${id}/rotate-secret`, call),
    /** The events sent to the webhook with its responses, newest first. */
    deliveries: (
      id: string,
      query?: { status?: Schemas['WebhookDeliveryStatus']; limit?: number },
      call?: CallOptions,
    ) => http.pages<Delivery>(path`/v1/webhooks/${id}/deliveries`, query, call),
    /** An event sent to the webhook. */
    delivery: (id: string, deliveryId: string, call?: CallOptions) =>
      http.json<Delivery>('GET', path`/v1/webhooks/${id}/deliveries/${deliveryId}`, call),
    /** Sends the event again, with the same id. */
    redeliver: (id: string, deliveryId: string, call?: CallOptions) =>
      http.json<Delivery>('POST', path`/v1/webhooks/${id}/deliveries/${deliveryId}/redeliver`, call),
  };
}

/** Pictures and other files that requests can refer to by name. */
export function createAssets(http: Http) {
  return {
    /** Stores a picture or a PDF under a name. Any other file needs `kind: 'file'`. */
    upload: (name: string, file: FileInput, { kind, ...call }: CallOptions & { kind?: 'picture' | 'file' } = {}) =>
      http.json<Schemas['Asset']>('POST', '/v1/assets', { ...call, body: formBody({ name, kind, file }) }),
    /** The pictures of the account, newest first; `name` matches any part of the name. */
    list: (query?: { name?: string; limit?: number }, call?: CallOptions) =>
      http.pages<Schemas['Asset']>('/v1/assets', query, call),
    /** The name, size and type of a picture. */
    get: (id: string, call?: CallOptions) => http.json<Schemas['Asset']>('GET', path`/v1/assets/${id}`, call),
    /** The picture as uploaded. */
    download: (id: string, call?: CallOptions) => http.bytes('GET', path`/v1/assets/${id}/content`, call),
    /** Deletes the picture. */
    delete: (id: string, call?: CallOptions) =>
      http.empty('DELETE', path`/v1/assets/${id}`, { ...call, isDoneWhenAbsent: true }),
  };
}

/** Fonts for documents. */
export function createFonts(http: Http) {
  return {
    /** Adds a font to the account. */
    upload: (file: FileInput, { name }: { name?: string } = {}, call?: CallOptions) =>
      http.json<Schemas['AccountFont']>('POST', '/v1/fonts', { ...call, body: formBody({ name, file }) }),
    /** The fonts available to documents: those of the service and of the account. */
    list: (query?: { name?: string; script?: string; limit?: number }, call?: CallOptions) =>
      http.pages<Schemas['Font']>('/v1/fonts', query, call),
    /** A font of the account. */
    get: (id: string, call?: CallOptions) => http.json<Schemas['AccountFont']>('GET', path`/v1/fonts/${id}`, call),
    /** Deletes a font of the account. */
    delete: (id: string, call?: CallOptions) =>
      http.empty('DELETE', path`/v1/fonts/${id}`, { ...call, isDoneWhenAbsent: true }),
  };
}

/** Electronic invoices. */
export function createInvoices(http: Http) {
  return {
    /** Validates an invoice, as XML or in a PDF. An invalid invoice is reported in the result, not as an error. */
    validate: (file: FileInput, call?: CallOptions) =>
      http.json<Schemas['InvoiceReport']>('POST', '/v1/invoices/validate', { ...call, body: formBody({ file }) }),
  };
}

/** Words that templates print in the language of a document. */
export function createDictionary(http: Http) {
  type Dictionary = Schemas['Dictionary'];
  return {
    /** The words of the account; throws NotFoundError if there are none. */
    get: (call?: CallOptions) => http.json<Dictionary>('GET', '/v1/dictionary', call),
    /** Replaces all words of the account. */
    put: (words: Dictionary['words'], call?: CallOptions) =>
      http.json<Dictionary>('PUT', '/v1/dictionary', { ...call, body: jsonBody({ words }) }),
    /** Deletes all words of the account. */
    delete: (call?: CallOptions) => http.empty('DELETE', '/v1/dictionary', { ...call, isDoneWhenAbsent: true }),
  };
}

/** Quota, usage and keys. */
export function createAccount(http: Http) {
  return {
    /** The allocated and the remaining quota. */
    quotas: (call?: CallOptions) => http.json<Schemas['Quotas']>('GET', '/v1/account/quotas', call),
    /** Documents, pages and bytes of a period, grouped. */
    usage: (query?: UsageQuery, call?: CallOptions) =>
      http.json<Schemas['Usage']>('GET', '/v1/account/usage', { ...call, query }),
    /** The key of this client: its scopes, kind, expiry and budget. Every key may read its own. */
    key: (call?: CallOptions) => http.json<Schemas['AccountKey']>('GET', '/v1/account/key', call),
    /** The keys of the account, newest first, without their secrets. */
    keys: (query?: { limit?: number }, call?: CallOptions) =>
      http.pages<Schemas['AccountKeyList'][number]>('/v1/account/keys', query, call),
  };
}
