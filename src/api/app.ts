import { Hono } from 'hono';
import { AppError } from '../shared/errors.ts';
import type { Readiness } from '../shared/readiness.ts';
import { type AdminOperation, registerAdminOperations } from './admin/admin-operation.ts';
import type { ApiDeps } from './api-deps.ts';
import { createOpenApiDocument } from './documentation/openapi-document.ts';
import type { ApiEnv } from './http/api-env.ts';
import { missingRoute } from './http/missing-route.ts';
import { toErrorResponse } from './http/problem.ts';
import { createRoundRobin } from './http/round-robin.ts';
import { authenticate } from './middleware/authenticate.ts';
import { authenticateOperator } from './middleware/authenticate-operator.ts';
import { bodyMemory } from './middleware/body-memory.ts';
import { headLength } from './middleware/head-length.ts';
import { idempotencyKey } from './middleware/idempotency-key.ts';
import { operatorRateLimit } from './middleware/operator-rate-limit.ts';
import { paceRefusals } from './middleware/pace-refusals.ts';
import { rateLimit } from './middleware/rate-limit.ts';
import { requestLog } from './middleware/request-log.ts';
import { unreadBody } from './middleware/unread-body.ts';
import type { Operation } from './operation.ts';
import { registerOperations } from './operation.ts';
import { servePages } from './pages/serve-pages.ts';
import { getKeyOperation } from './routes/account/get-key.ts';
import { getQuotasOperation } from './routes/account/get-quotas.ts';
import { getUsageOperation } from './routes/account/get-usage.ts';
import { listKeysOperation } from './routes/account/list-keys.ts';
import { accountReportOperations } from './routes/admin/account-reports.ts';
import { accountSettingOperations } from './routes/admin/account-settings.ts';
import { accountOperations } from './routes/admin/accounts.ts';
import { auditOperations } from './routes/admin/audit.ts';
import { billingOperations } from './routes/admin/billing.ts';
import { erasureOperations } from './routes/admin/erasures.ts';
import { failureOperations } from './routes/admin/failures.ts';
import { keyOperations } from './routes/admin/keys.ts';
import { operatorKeyOperations } from './routes/admin/operator-keys.ts';
import { pauseOperations } from './routes/admin/pauses.ts';
import { queueOperations } from './routes/admin/queues.ts';
import { webhookOperations } from './routes/admin/webhooks.ts';
import { workerOperations } from './routes/admin/workers.ts';
import { deleteAssetOperation } from './routes/assets/delete.ts';
import { downloadAssetOperation } from './routes/assets/download.ts';
import { getAssetOperation } from './routes/assets/get.ts';
import { listAssetsOperation } from './routes/assets/list.ts';
import { uploadAssetOperation } from './routes/assets/upload.ts';
import { cancelBatchOperation } from './routes/batches/cancel.ts';
import { createBatchOperation } from './routes/batches/create.ts';
import { getBatchOperation } from './routes/batches/get.ts';
import { getBatchContentOperation } from './routes/batches/get-content.ts';
import { getBatchManifestOperation } from './routes/batches/get-manifest.ts';
import { listBatchesOperation } from './routes/batches/list.ts';
import { listBatchItemsOperation } from './routes/batches/list-items.ts';
import { quoteBatchOperation } from './routes/batches/quote.ts';
import { retryBatchOperation } from './routes/batches/retry.ts';
import { batchEventsOperation } from './routes/batches/stream-events.ts';
import { createDeliveryOperation } from './routes/deliveries/create.ts';
import { getDeliveryOperation } from './routes/deliveries/get.ts';
import { listDeliveriesOperation } from './routes/deliveries/list.ts';
import { resendDeliveryOperation } from './routes/deliveries/resend.ts';
import { deleteDictionaryOperation } from './routes/dictionary/delete.ts';
import { getDictionaryOperation } from './routes/dictionary/get.ts';
import { putDictionaryOperation } from './routes/dictionary/put.ts';
import { deleteFontOperation } from './routes/fonts/delete.ts';
import { getFontOperation } from './routes/fonts/get.ts';
import { listFontsOperation } from './routes/fonts/list.ts';
import { uploadFontOperation } from './routes/fonts/upload.ts';
import { validateInvoiceOperation } from './routes/invoices/validate.ts';
import { cancelJobOperation } from './routes/jobs/cancel.ts';
import { getJobOperation } from './routes/jobs/get.ts';
import { getJobContentOperation } from './routes/jobs/get-content.ts';
import { getReceiptOperation } from './routes/jobs/get-receipt.ts';
import { getRequestOperation } from './routes/jobs/get-request.ts';
import { getTimelineOperation } from './routes/jobs/get-timeline.ts';
import { listJobsOperation } from './routes/jobs/list.ts';
import { deleteTemplateOperation } from './routes/templates/delete.ts';
import { downloadTemplateOperation } from './routes/templates/download.ts';
import { generateDocumentOperation } from './routes/templates/generate.ts';
import { getTemplateOperation } from './routes/templates/get.ts';
import { getTemplateSchemaOperation } from './routes/templates/get-schema.ts';
import { getTemplateStatisticsOperation } from './routes/templates/get-statistics.ts';
import { getThumbnailOperation } from './routes/templates/get-thumbnail.ts';
import { listTemplatesOperation } from './routes/templates/list.ts';
import { previewTemplateOperation } from './routes/templates/preview.ts';
import { putTemplateOperation } from './routes/templates/put.ts';
import { replaceContentOperation } from './routes/templates/replace-content.ts';
import { startJobOperation } from './routes/templates/start-job.ts';
import { updateTemplateOperation } from './routes/templates/update.ts';
import { uploadTemplateOperation } from './routes/templates/upload.ts';
import { validateTemplateOperation } from './routes/templates/validate.ts';
import { downloadVersionOperation } from './routes/versions/download.ts';
import { listVersionsOperation } from './routes/versions/list.ts';
import { promoteVersionOperation } from './routes/versions/promote.ts';
import { reviewOperations } from './routes/versions/review.ts';
import { createWebhookOperation } from './routes/webhooks/create.ts';
import { deleteWebhookOperation } from './routes/webhooks/delete.ts';
import { getWebhookOperation } from './routes/webhooks/get.ts';
import { getWebhookDeliveryOperation } from './routes/webhooks/get-delivery.ts';
import { listWebhooksOperation } from './routes/webhooks/list.ts';
import { listWebhookDeliveriesOperation } from './routes/webhooks/list-deliveries.ts';
import { redeliverOperation } from './routes/webhooks/redeliver.ts';
import { rotateSecretOperation } from './routes/webhooks/rotate.ts';
import { testWebhookOperation } from './routes/webhooks/test.ts';
import { updateWebhookOperation } from './routes/webhooks/update.ts';
import { serveSignIn } from './sign-in/serve-sign-in.ts';

/**
 * The number of parts of large bodies, up to 64 KB each, that one account may have read in a round of the event loop.
 */
const partsPerRound = 2;

/** The paths of the admin API. */
const adminPaths = '/v1/admin/*';

/** The pages of the console of operators. */
const operatorPaths = '/console/operator/*';

/** On the public port, nobody should type in an operator key. */
const refuseOperators = (): never => {
  throw new AppError('not_found', 'The console of operators is on the port of the admin API. Open it there.');
};

/** Which part of the API a port serves. With `public`, the admin API and the console of operators do not exist. */
export type ServedPart = 'all' | 'public' | 'admin';

/** The application: middleware and routes, without a listener. */
export function createApp(deps: ApiDeps, readiness: () => Promise<Readiness>, part: ServedPart = 'all'): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  const parts = createRoundRobin(partsPerRound);
  app.onError((error, c) => toErrorResponse(error, c));
  app.use(requestLog(deps), headLength(), unreadBody(parts));
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    const result = await readiness();
    return c.json(result, result.status === 'ready' ? 200 : 503);
  });
  // Public, so that anyone who gets a receipt can verify it (RFC 7517, 5).
  app.get('/.well-known/jwks.json', (c) =>
    c.json({ keys: deps.receiptKeys }, 200, { 'Cache-Control': 'public, max-age=300' }),
  );
  const pace = paceRefusals({ intervalMs: 20, maxDelayMs: 5_000 });
  const memory = bodyMemory(deps.config.BODY_MEMORY_MB * 1024 * 1024, parts);
  if (part !== 'public') {
    const operators = { find: deps.findOperator, trustedProxies: deps.config.TRUSTED_PROXIES };
    const limit = operatorRateLimit(deps.operatorLimiters);
    app.use(adminPaths, authenticateOperator(operators), pace, limit, idempotencyKey(), memory);
    registerAdminOperations(app, deps, adminOperations);
  }
  // Without this, an unknown path of the admin API would ask for the key of an account.
  app.all(adminPaths, missingRoute(app.routes));
  if (part !== 'admin' && deps.signIn !== undefined) serveSignIn(app, deps.signIn, deps);
  // Also on the port of operators, whose console is one of the pages. People sign in only on the public port.
  const document = createOpenApiDocument(operations, deps.config.PUBLIC_URL, adminOperations);
  if (part === 'public') app.all(operatorPaths, refuseOperators);
  servePages(app, document, deps.brand, part === 'admin' ? undefined : deps.signIn);
  if (part !== 'admin') {
    app.use('/v1/*', authenticate(deps.keys, deps.signIn?.gate), pace, rateLimit(deps), idempotencyKey(), memory);
    registerOperations(app, deps, operations);
  }
  app.notFound(missingRoute(app.routes));
  return app;
}

/** Every operation of the admin API, in the order of the reference. */
export const adminOperations: readonly AdminOperation[] = [
  ...accountOperations,
  ...accountSettingOperations,
  ...accountReportOperations,
  ...billingOperations,
  ...keyOperations,
  ...queueOperations,
  ...pauseOperations,
  ...workerOperations,
  ...failureOperations,
  ...webhookOperations,
  ...erasureOperations,
  ...auditOperations,
  ...operatorKeyOperations,
];

/** Every operation of the API, in the order of the reference. */
export const operations: readonly Operation[] = [
  uploadTemplateOperation,
  putTemplateOperation,
  validateTemplateOperation,
  listTemplatesOperation,
  getTemplateStatisticsOperation,
  getTemplateOperation,
  getTemplateSchemaOperation,
  getThumbnailOperation,
  downloadTemplateOperation,
  updateTemplateOperation,
  replaceContentOperation,
  deleteTemplateOperation,
  listVersionsOperation,
  downloadVersionOperation,
  promoteVersionOperation,
  ...reviewOperations,
  generateDocumentOperation,
  startJobOperation,
  previewTemplateOperation,
  getJobOperation,
  getJobContentOperation,
  getReceiptOperation,
  getRequestOperation,
  getTimelineOperation,
  cancelJobOperation,
  listJobsOperation,
  quoteBatchOperation,
  createBatchOperation,
  getBatchOperation,
  batchEventsOperation,
  listBatchItemsOperation,
  getBatchContentOperation,
  getBatchManifestOperation,
  retryBatchOperation,
  cancelBatchOperation,
  listBatchesOperation,
  listDeliveriesOperation,
  getDeliveryOperation,
  createDeliveryOperation,
  resendDeliveryOperation,
  createWebhookOperation,
  testWebhookOperation,
  listWebhooksOperation,
  getWebhookOperation,
  updateWebhookOperation,
  rotateSecretOperation,
  deleteWebhookOperation,
  listWebhookDeliveriesOperation,
  getWebhookDeliveryOperation,
  redeliverOperation,
  uploadAssetOperation,
  listAssetsOperation,
  getAssetOperation,
  downloadAssetOperation,
  deleteAssetOperation,
  uploadFontOperation,
  listFontsOperation,
  getFontOperation,
  deleteFontOperation,
  validateInvoiceOperation,
  putDictionaryOperation,
  getDictionaryOperation,
  deleteDictionaryOperation,
  getQuotasOperation,
  getUsageOperation,
  getKeyOperation,
  listKeysOperation,
];
