import type { HttpBindings } from '@hono/node-server';
import type { Logger } from '../shared/logger.ts';
import type { BodyLease } from './http/body-lease.ts';

/** What middleware hands to the handlers of a request. */
export interface ApiEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    accountId: string;
    keyId: string;
    idempotencyKey: string | undefined;
    bodyLease: BodyLease;
    logger: Logger;
  };
}
