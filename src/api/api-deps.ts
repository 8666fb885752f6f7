import type { PublicJwk, SigningKey } from '../shared/receipts/signing-key.ts';
import type { Tracing } from '../shared/tracing/tracing.ts';
import type { BatchDeps } from './batches/batch-deps.ts';
import type { JsonParser } from './http/json-parser.ts';
import type { ApiMetrics } from './metrics.ts';
import type { FindOperator } from './middleware/authenticate-operator.ts';
import type { KeyCache } from './middleware/key-cache.ts';
import type { KeyUseRecorder } from './middleware/key-use-recorder.ts';
import type { OperatorLimiters } from './middleware/operator-rate-limit.ts';
import type { RateLimiter } from './middleware/rate-limit.ts';
import type { Brand } from './pages/brand/brand.ts';
import type { FontReporter } from './routes/templates/font-reports.ts';
import type { SignIn } from './sign-in/sign-in.ts';

/** The dependencies that `main.ts` passes to middleware and handlers. */
export interface ApiDeps extends BatchDeps {
  /** Undefined when no spans are recorded. */
  readonly tracing?: Tracing | undefined;
  readonly metrics: ApiMetrics;
  readonly json: JsonParser;
  readonly keys: KeyCache;
  readonly keyUse: KeyUseRecorder;
  readonly limiter: RateLimiter;
  /** Limits requests with test keys. */
  readonly testLimiter: RateLimiter;
  readonly fonts: FontReporter;
  readonly findOperator: FindOperator;
  readonly operatorLimiters: OperatorLimiters;
  /** Signs receipts. */
  readonly receiptKey: SigningKey | undefined;
  /** The public keys that verify receipts: those of the current and of earlier signing keys. */
  readonly receiptKeys: readonly PublicJwk[];
  /** Undefined when the pages show the project's own name, logo and colours. */
  readonly brand?: Brand | undefined;
  /** Undefined where people do not sign in. */
  readonly signIn?: SignIn | undefined;
}
