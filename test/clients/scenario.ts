import type { Call, CallInput } from './call.ts';

export interface ScenarioFiles {
  readonly template: Blob;
  readonly picture: Blob;
  readonly font: Blob;
  readonly invoice: Blob;
  /** An address that answers webhooks. */
  readonly webhookUrl: string;
}

/** Calls every operation once or more, in an order in which each can succeed; returns the ids of those it called. */
export async function runEveryOperation(client: Call, files: ScenarioFiles): Promise<Set<string>> {
  const called = new Set<string>();
  const call = async (operationId: string, expected: readonly number[], input?: CallInput): Promise<unknown> => {
    const { status, data } = await client(operationId, input);
    called.add(operationId);
    if (!expected.includes(status)) throw new Error(`${operationId}: ${status} ${JSON.stringify(data)}`);
    return data;
  };
  const id = idOf(await call('uploadTemplate', [201], { body: { name: 'letter.docx', file: files.template } }));
  const path = { id };
  await call('putTemplate', [200], { body: { name: 'letter.docx', file: files.template } });
  await call('validateTemplate', [200], { body: { file: files.template, sampleData: '{"name":"Ada"}' } });
  isFile(await call('previewTemplate', [200], { body: { templateId: id, data: { name: 'Ada' } } }));
  await call('listTemplates', [200], { query: { limit: 10 } });
  await call('getTemplateStatistics', [200], { query: { ids: id, days: 7 } });
  await call('getTemplate', [200], { path });
  isFile(await call('downloadTemplate', [200], { path }));
  await call('getTemplateSchema', [200], { path, query: { version: 1 } });
  isFile(await call('getTemplateThumbnail', [200], { path, query: { version: 1 } }));
  await call('updateTemplate', [200], { path, body: { name: 'renamed.docx' } });
  await call('replaceTemplateContent', [200], { path, body: { name: 'letter.docx', file: files.template } });
  await call('listTemplateVersions', [200], { path });
  isFile(await call('downloadTemplateVersion', [200], { path: { id, version: 1 } }));
  await call('promoteTemplateVersion', [200], { path: { id, version: 1 } });
  const version = { id, version: 1 };
  await call('getReview', [200], { path: version });
  // The account needs no approval, and its key neither approves nor overrides.
  await call('submitTemplateVersion', [409], { path: version, body: {} });
  await call('commentTemplateVersion', [409], { path: version, body: { comment: 'Good.' } });
  await call('approveTemplateVersion', [403], { path: version, body: {} });
  await call('refuseTemplateVersion', [403], { path: version, body: { comment: 'Not yet.' } });
  await call('overrideTemplateVersion', [403], { path: version, body: { reason: 'An emergency.' } });

  const asset = { id: idOf(await call('uploadAsset', [201], { body: { name: 'logo.png', file: files.picture } })) };
  await call('listAssets', [200]);
  await call('getAsset', [200], { path: asset });
  isFile(await call('downloadAsset', [200], { path: asset }));
  await call('deleteAsset', [204], { path: asset });
  const font = { id: idOf(await call('uploadFont', [201], { body: { file: files.font } })) };
  await call('listFonts', [200]);
  await call('getFont', [200], { path: font });
  await call('deleteFont', [204], { path: font });
  await call('validateInvoice', [200], { body: { file: files.invoice } });
  await call('putDictionary', [200], { body: { words: { de: { total: 'Summe' } } } });
  await call('getDictionary', [200]);
  await call('deleteDictionary', [204]);

  isFile(await call('generateDocument', [200], { path, body: { data: { name: 'Ada' } } }));
  const email = { to: ['ada@example.com'], cc: null };
  const output = { format: 'docx', filename: null, email };
  const headers = { 'Idempotency-Key': 'letter-1' };
  const job = await call('startJob', [202], { path, headers, body: { data: { name: 'Ada' }, output } });
  const jobPath = { id: idOf(job) };
  await until(async () => /succeeded/.test(statusOf(await call('getJob', [200], { path: jobPath }))));
  await call('listJobs', [200], { query: { status: 'succeeded' } });
  isFile(await call('getJobContent', [200], { path: jobPath }));
  await call('getJobReceipt', [200], { path: jobPath });
  await call('getJobRequest', [200], { path: jobPath });
  await call('getJobTimeline', [200], { path: jobPath });
  await call('cancelJob', [409], { path: jobPath });
  const delivery = { id: String(field(job, 'emailDeliveryId')) };
  await until(async () => statusOf(await call('getDelivery', [200], { path: delivery })) === 'sent');
  await call('listDeliveries', [200], { query: { status: 'sent' } });
  await call('createDelivery', [202], { body: { documentId: idOf(job), to: ['alan@example.com'] } });
  await call('resendDelivery', [202, 409], { path: delivery });

  const rows = [{ data: { name: 'Ada' } }, { data: { name: 'Alan' }, output: null }];
  await call('quoteBatch', [200], { path, body: { items: rows } });
  const batch = { id: idOf(await call('createBatch', [202], { path, body: { items: rows, bundle: 'zip' } })) };
  await call('streamBatchEvents', [200], { path: batch });
  await until(async () => statusOf(await call('getBatch', [200], { path: batch })) === 'completed');
  await call('listBatches', [200]);
  await call('listBatchItems', [200], { path: batch });
  await call('getBatchManifest', [200], { path: batch });
  isFile(await call('getBatchContent', [200], { path: batch }));
  await call('retryBatch', [202, 409], { path: batch });
  await call('cancelBatch', [200, 409], { path: batch });

  await call('getQuotas', [200]);
  await call('getUsage', [200], { query: { groupBy: 'template' } });
  await call('getKey', [200]);
  await call('listKeys', [200], { query: { limit: 10 } });

  const events = ['document.succeeded'];
  const webhook = { id: idOf(await call('createWebhook', [201], { body: { url: files.webhookUrl, events } })) };
  await call('listWebhooks', [200]);
  await call('getWebhook', [200], { path: webhook });
  await call('updateWebhook', [200], { path: webhook, body: { description: 'changed', url: null } });
  await call('rotateWebhookSecret', [200], { path: webhook });
  const tested = { ...webhook, deliveryId: idOf(await call('testWebhook', [200, 202], { path: webhook })) };
  await call('listWebhookDeliveries', [200], { path: webhook });
  await call('getWebhookDelivery', [200], { path: tested });
  await call('redeliverWebhook', [202], { path: tested });
  await call('deleteWebhook', [204], { path: webhook });
  await call('deleteTemplate', [204], { path });
  return called;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function idOf(value: unknown): string {
  const id = field(value, 'id');
  if (typeof id !== 'string') throw new Error(`no id in ${JSON.stringify(value)}`);
  return id;
}

function statusOf(value: unknown): string {
  return String(field(value, 'status'));
}

function isFile(value: unknown): void {
  if (!(value instanceof Blob) || value.size === 0) throw new Error(`no file but ${JSON.stringify(value)}`);
}

/** Asks again every 100 ms; the test has the limit. */
async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 100));
}
