import { OpenAPIHono } from '@hono/zod-openapi';
import { AppError } from '../shared/errors.ts';
import type { Readiness } from '../shared/readiness.ts';
import type { ApiDeps } from './context.ts';
import type { ApiEnv } from './env.ts';
import { registerOperations } from './http/operation.ts';
import { answerProblem } from './http/problem.ts';
import { authenticate } from './middleware/authenticate.ts';
import { bodyMemory } from './middleware/body-memory.ts';
import { idempotency } from './middleware/idempotency.ts';
import { rateLimit } from './middleware/rate-limit.ts';
import { requestLog } from './middleware/request-log.ts';
import { unreadBody } from './middleware/unread-body.ts';
import { operations } from './operations.ts';
import { addReference } from './reference.ts';

/** The application with its middleware and routes. It listens to nothing and holds no state of its own. */
export function createApp(deps: ApiDeps, readiness: () => Promise<Readiness>): OpenAPIHono<ApiEnv> {
  const app = new OpenAPIHono<ApiEnv>();
  app.onError((error, c) => answerProblem(error, c));
  app.notFound((c) =>
    answerProblem(new AppError('not_found', `There is no operation ${c.req.method} ${c.req.path.slice(0, 200)}`), c),
  );
  app.use(requestLog(deps.logger, deps.metrics), unreadBody());
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    const answer = await readiness();
    return c.json(answer, answer.status === 'ready' ? 200 : 503);
  });
  addReference(app);
  app.use(
    '/v1/*',
    authenticate(deps.keys, deps.stages),
    rateLimit(deps.limiter, deps.stages),
    idempotency(),
    bodyMemory(deps.config.BODY_MEMORY_MB * 1024 * 1024),
  );
  registerOperations(app, deps, operations);
  return app;
}
