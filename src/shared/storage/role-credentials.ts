import type { Logger } from '../logger.ts';
import type { CredentialSource, TemporaryCredentials } from './credential-sources.ts';

/** Temporary credentials of a role. */
export interface RoleCredentials {
  /**
   * The present credentials. Waits for the platform only when there are none that are valid. Throws when it gives none, and
   * for two seconds after that without asking it.
   */
  get(): Promise<TemporaryCredentials>;
  /** The store refuses the present credentials as expired: the next call fetches others, if these are not new. */
  expire(): void;
}

/** Platforms have new credentials at least five minutes before the old ones end (EC2 user guide, "Instance metadata"). */
const renewBeforeMs = 5 * 60_000;
const retryPauseMs = 2_000;
const warnPauseMs = 60_000;
const newForMs = 5_000;

/**
 * Keeps credentials of `source`, and renews them in the background before they end, so that no call waits for the platform or fails
 * while it is down briefly. One request at a time is made.
 */
export function createRoleCredentials(source: CredentialSource, logger?: Logger): RoleCredentials {
  let current: TemporaryCredentials | undefined;
  let fetching: Promise<TemporaryCredentials> | undefined;
  let fetchedAtMs = 0;
  let failure: unknown;
  let warnAtMs = 0;
  let retryAtMs = 0;

  const renew = (): Promise<TemporaryCredentials> => {
    fetching ??= source()
      .then((fetched) => {
        current = fetched;
        fetchedAtMs = Date.now();
        return fetched;
      })
      .catch((error: unknown) => {
        failure = error;
        retryAtMs = performance.now() + retryPauseMs;
        if (performance.now() >= warnAtMs) {
          warnAtMs = performance.now() + warnPauseMs;
          logger?.error({ err: error }, 'the platform gives no credentials for the file store (S3_CREDENTIALS=role)');
        }
        throw error;
      })
      .finally(() => {
        fetching = undefined;
      });
    return fetching;
  };

  return {
    async get() {
      const leftMs = current === undefined ? 0 : current.expiresAtMs - Date.now();
      const mayAsk = performance.now() >= retryAtMs;
      if (current === undefined || leftMs <= 0) {
        if (!mayAsk) throw failure;
        return await renew();
      }
      const lifetimeMs = current.expiresAtMs - fetchedAtMs;
      // An error is logged by `renew`; the present credentials still work.
      if (mayAsk && leftMs < Math.min(renewBeforeMs, lifetimeMs / 2)) renew().catch(() => undefined);
      return current;
    },
    expire() {
      if (Date.now() - fetchedAtMs > newForMs) current = undefined;
    },
  };
}
