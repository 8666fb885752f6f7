import type { HttpBindings } from '@hono/node-server';
import type { Logger } from '../../shared/logger.ts';
import type { BodyLease } from './read-body.ts';

/** Variables that middleware sets for the handler of a request. */
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
