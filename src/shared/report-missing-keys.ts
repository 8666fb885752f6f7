import type { Executor } from './db/client.ts';
import { findMissingKeys } from './domain/webhooks/find-missing-keys.ts';
import type { SecretBox } from './domain/webhooks/secret-box.ts';
import type { Logger } from './logger.ts';

/**
 * Logs an error if webhooks have secrets that this process cannot open. The process still starts: everything else
 * works, and deliveries to these webhooks wait until the key is restored.
 */
export async function reportMissingKeys(db: Executor, box: SecretBox, logger: Logger): Promise<void> {
  try {
    for (const { key_id: keyId, webhooks } of await findMissingKeys(db, box)) {
      logger.error({ keyId, webhooks }, 'secrets of webhooks cannot be opened: WEBHOOK_SECRET_KEY lacks their key');
    }
  } catch (error) {
    logger.warn({ err: error }, 'the sealing keys of webhooks could not be checked');
  }
}
