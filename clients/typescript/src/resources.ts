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
  /** Part of an id, a filename or a recipient, in any case. */
  readonly search?: string | undefined;
  readonly limit?: number | undefined;
};

type UsageQuery = {
  /** Days in UTC, such as `2026-11-01`; both are included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly groupBy?: Schemas['Usage']['groupBy'] | undefined;
};

/** Documents as jobs. */
export function createJobs(http: Http) {
  const get = (id: string, call?: CallOptions) => http.json<Job>('GET', path`/v1/jobs/${id}`, call);
  return {
    get,
    list: (query?: JobQuery, call?: CallOptions) => http.pages<Schemas['JobList'][number]>('/v1/jobs', query, call),
    /** Asks until the job has ended: `succeeded`, `failed` or `cancelled`. Bound it with `signal`. */
    async wait(id: string, call?: CallOptions): Promise<Job> {
      for (let delayMs = 100; ; delayMs = Math.min(delayMs * 2, pollMs)) {
        const job = await get(id, call);
        if (job.finishedAt !== undefined) return job;
        await pause(delayMs, call?.signal);
      }
    },
    download: (id: string, call?: CallOptions) => http.bytes('GET', path`/v1/jobs/${id}/content`, call),
    receipt: (id: string, call?: CallOptions) =>
      http.json<Schemas['SignedReceipt']>('GET', path`/v1/jobs/${id}/receipt`, call),
    cancel: (id: string, call?: CallOptions) => http.empty('DELETE', path`/v1/jobs/${id}`, call),
  };
}

export function createDeliveries(http: Http) {
  return {
    list: (query?: { status?: Schemas['DeliveryStatus']; limit?: number }, call?: CallOptions) =>
      http.pages<Schemas['DeliveryList'][number]>('/v1/deliveries', query, call),
    get: (id: string, call?: CallOptions) => http.json<Schemas['Delivery']>('GET', path`/v1/deliveries/${id}`, call),
    resend: (id: string, call?: CallOptions) =>
      http.json<Schemas['Delivery']>('POST', path`/v1/deliveries/${id}/resend`, call),
  };
}

export function createWebhooks(http: Http) {
  type Webhook = Schemas['Webhook'];
  type Delivery = Schemas['WebhookDelivery'];
  return {
    create: (webhook: Schemas['WebhookRequest'], call?: CallOptions) =>
      http.json<Webhook>('POST', '/v1/webhooks', { ...call, body: jsonBody(webhook) }),
    list: (call?: CallOptions) => http.pages<Schemas['WebhookList'][number]>('/v1/webhooks', {}, call),
    get: (id: string, call?: CallOptions) => http.json<Webhook>('GET', path`/v1/webhooks/${id}`, call),
    update: (id: string, changes: Schemas['WebhookChanges'], call?: CallOptions) =>
      http.json<Webhook>('PATCH', path`/v1/webhooks/${id}`, { ...call, body: jsonBody(changes) }),
    delete: (id: string, call?: CallOptions) =>
      http.empty('DELETE', path`/v1/webhooks/${id}`, { ...call, isDoneWhenAbsent: true }),
    test: (id: string, call?: CallOptions) => http.json<Delivery>('POST', path`/v1/webhooks/${id}/test`, call),
    rotateSecret: (id: string, call?: CallOptions) =>
      http.json<Webhook>('POST', path`/v1/webhooks/${id}/rotate-secret`, call),
    deliveries: (
      id: string,
      query?: { status?: Schemas['WebhookDeliveryStatus']; limit?: number },
      call?: CallOptions,
    ) => http.pages<Delivery>(path`/v1/webhooks/${id}/deliveries`, query, call),
    delivery: (id: string, deliveryId: string, call?: CallOptions) =>
      http.json<Delivery>('GET', path`/v1/webhooks/${id}/deliveries/${deliveryId}`, call),
    redeliver: (id: string, deliveryId: string, call?: CallOptions) =>
      http.json<Delivery>('POST', path`/v1/webhooks/${id}/deliveries/${deliveryId}/redeliver`, call),
  };
}

/** Pictures that data can name. */
export function createAssets(http: Http) {
  return {
    upload: (name: string, file: FileInput, call?: CallOptions) =>
      http.json<Schemas['Asset']>('POST', '/v1/assets', { ...call, body: formBody({ name, file }) }),
    list: (query?: { name?: string; limit?: number }, call?: CallOptions) =>
      http.pages<Schemas['Asset']>('/v1/assets', query, call),
    get: (id: string, call?: CallOptions) => http.json<Schemas['Asset']>('GET', path`/v1/assets/${id}`, call),
    download: (id: string, call?: CallOptions) => http.bytes('GET', path`/v1/assets/${id}/content`, call),
    delete: (id: string, call?: CallOptions) =>
      http.empty('DELETE', path`/v1/assets/${id}`, { ...call, isDoneWhenAbsent: true }),
  };
}

export function createFonts(http: Http) {
  return {
    upload: (file: FileInput, { name }: { name?: string } = {}, call?: CallOptions) =>
      http.json<Schemas['AccountFont']>('POST', '/v1/fonts', { ...call, body: formBody({ name, file }) }),
    list: (query?: { name?: string; script?: string; limit?: number }, call?: CallOptions) =>
      http.pages<Schemas['Font']>('/v1/fonts', query, call),
    get: (id: string, call?: CallOptions) => http.json<Schemas['AccountFont']>('GET', path`/v1/fonts/${id}`, call),
    delete: (id: string, call?: CallOptions) =>
      http.empty('DELETE', path`/v1/fonts/${id}`, { ...call, isDoneWhenAbsent: true }),
  };
}

export function createAccount(http: Http) {
  return {
    quotas: (call?: CallOptions) => http.json<Schemas['Quotas']>('GET', '/v1/account/quotas', call),
    usage: (query?: UsageQuery, call?: CallOptions) =>
      http.json<Schemas['Usage']>('GET', '/v1/account/usage', { ...call, query }),
  };
}
