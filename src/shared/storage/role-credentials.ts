import type { Logger } from '../logger.ts';
import type { CredentialSource, TemporaryCredentials } from './credential-sources.ts';

/** Temporary credentials of a role. */
export interface RoleCredentials {
  /**
   * The current credentials. Waits for the platform only if there are no valid ones. Throws if the platform provides
   * none, and for two seconds afterwards without asking again.
   */
  get(): Promise<TemporaryCredentials>;
  /**
   * Reports that the store rejected the current credentials as expired. The next call fetches new ones, unless these
   * are already new.
   */
  expire(): void;
}

/**
 * Platforms provide new credentials at least five minutes before the old ones expire (EC2 user guide, "Instance
 * metadata").
 */
const renewBeforeMs = 5 * 60_000;
const retryPauseMs = 2_000;
const warnPauseMs = 60_000;
const newForMs = 5_000;

/**
 * Caches the credentials of `source` and renews them in the background before they expire, so that calls neither wait
 * for the platform nor fail during a short outage. Makes one request at a time.
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
          logger?.error(
            { err: error },
            'the platform provides no credentials for the file store (S3_CREDENTIALS=role)',
          );
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
      // `renew` logs the error; the current credentials still work.
      if (mayAsk && leftMs < Math.min(renewBeforeMs, lifetimeMs / 2)) renew().catch(() => undefined);
      return current;
    },
    expire() {
      if (Date.now() - fetchedAtMs > newForMs) current = undefined;
    },
  };
}
