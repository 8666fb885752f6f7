import type { HttpBindings } from '@hono/node-server';
import type { KeyScopes } from '../../shared/domain/api-keys/scopes.ts';
import type { OperatorHolder } from '../../shared/domain/operators/operator-keys.ts';
import type { SecretBox } from '../../shared/domain/webhooks/secret-box.ts';
import type { Logger } from '../../shared/logger.ts';
import type { RequestTrace } from '../../shared/request-trace.ts';
import type { OwnStages } from '../../shared/stages.ts';
import type { BodyLease } from './read-body.ts';

/** Facts about a request for its log line. Ids and numbers only. */
export interface RequestFacts {
  documentId?: string;
  batchId?: string;
  templateId?: string;
  templateVersion?: number | undefined;
  pages?: number | undefined;
}

/** Variables that middleware sets for the handler of a request. */
export interface ApiEnv {
  Bindings: HttpBindings;
  Variables: {
    trace: RequestTrace;
    /** Added to the log line of the request. */
    facts: RequestFacts;
    stages: OwnStages;
    accountId: string;
    keyId: string;
    scopes: KeyScopes;
    isTest: boolean;
    /** Only in the admin API. */
    operator: OperatorHolder | undefined;
    /** The client's address, behind trusted proxies; only in the admin API. */
    address: string;
    /** Encrypts what is stored of a response with a key that only the operator has; only in the admin API. */
    sealing: SecretBox;
    idempotencyKey: string | undefined;
    bodyLease: BodyLease;
    logger: Logger;
  };
}
