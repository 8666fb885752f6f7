import type { Operation } from './http/operation.ts';
import { getQuotasOperation } from './routes/account/quotas.ts';
import { getUsageOperation } from './routes/account/usage.ts';
import { downloadAssetOperation } from './routes/assets/download.ts';
import { getAssetOperation } from './routes/assets/get.ts';
import { listAssetsOperation } from './routes/assets/list.ts';
import { removeAssetOperation } from './routes/assets/remove.ts';
import { uploadAssetOperation } from './routes/assets/upload.ts';
import { cancelBatchOperation } from './routes/batches/cancel.ts';
import { getBatchContentOperation } from './routes/batches/content.ts';
import { createBatchOperation } from './routes/batches/create.ts';
import { batchEventsOperation } from './routes/batches/events.ts';
import { getBatchOperation } from './routes/batches/get.ts';
import { listBatchItemsOperation } from './routes/batches/items.ts';
import { listBatchesOperation } from './routes/batches/list.ts';
import { getBatchManifestOperation } from './routes/batches/manifest.ts';
import { retryBatchOperation } from './routes/batches/retry.ts';
import { getDeliveryOperation } from './routes/deliveries/get.ts';
import { resendDeliveryOperation } from './routes/deliveries/resend.ts';
import { cancelJobOperation } from './routes/jobs/cancel.ts';
import { getJobContentOperation } from './routes/jobs/content.ts';
import { getJobOperation } from './routes/jobs/get.ts';
import { listJobsOperation } from './routes/jobs/list.ts';
import { downloadTemplateOperation } from './routes/templates/download.ts';
import { generateDocumentOperation } from './routes/templates/generate.ts';
import { getTemplateOperation } from './routes/templates/get.ts';
import { listTemplatesOperation } from './routes/templates/list.ts';
import { removeTemplateOperation } from './routes/templates/remove.ts';
import { replaceContentOperation } from './routes/templates/replace-content.ts';
import { getTemplateSchemaOperation } from './routes/templates/schema.ts';
import { updateTemplateOperation } from './routes/templates/update.ts';
import { uploadTemplateOperation } from './routes/templates/upload.ts';
import { validateTemplateOperation } from './routes/templates/validate.ts';
import { downloadVersionOperation } from './routes/versions/download.ts';
import { listVersionsOperation } from './routes/versions/list.ts';
import { promoteVersionOperation } from './routes/versions/promote.ts';
import { createWebhookOperation } from './routes/webhooks/create.ts';
import { getWebhookOperation } from './routes/webhooks/get.ts';
import { getWebhookDeliveryOperation } from './routes/webhooks/get-delivery.ts';
import { listWebhooksOperation } from './routes/webhooks/list.ts';
import { listWebhookDeliveriesOperation } from './routes/webhooks/list-deliveries.ts';
import { redeliverOperation } from './routes/webhooks/redeliver.ts';
import { removeWebhookOperation } from './routes/webhooks/remove.ts';
import { rotateSecretOperation } from './routes/webhooks/rotate-secret.ts';
import { testWebhookOperation } from './routes/webhooks/test.ts';
import { updateWebhookOperation } from './routes/webhooks/update.ts';

/** Every operation of the API, in the order of the reference. */
export const operations: readonly Operation[] = [
  listTemplatesOperation,
  getTemplateOperation,
  downloadTemplateOperation,
  getTemplateSchemaOperation,
  uploadTemplateOperation,
  validateTemplateOperation,
  updateTemplateOperation,
  replaceContentOperation,
  removeTemplateOperation,
  listVersionsOperation,
  downloadVersionOperation,
  promoteVersionOperation,
  listAssetsOperation,
  getAssetOperation,
  downloadAssetOperation,
  uploadAssetOperation,
  removeAssetOperation,
  generateDocumentOperation,
  listJobsOperation,
  getJobOperation,
  getJobContentOperation,
  cancelJobOperation,
  getBatchContentOperation,
  getBatchManifestOperation,
  createBatchOperation,
  listBatchesOperation,
  getBatchOperation,
  batchEventsOperation,
  listBatchItemsOperation,
  retryBatchOperation,
  cancelBatchOperation,
  getQuotasOperation,
  getUsageOperation,
  getDeliveryOperation,
  resendDeliveryOperation,
  listWebhooksOperation,
  createWebhookOperation,
  getWebhookOperation,
  updateWebhookOperation,
  removeWebhookOperation,
  rotateSecretOperation,
  testWebhookOperation,
  listWebhookDeliveriesOperation,
  getWebhookDeliveryOperation,
  redeliverOperation,
];
