import type { RouteConfig } from '@hono/zod-openapi';
import type { Context, Hono } from 'hono';
import type { OperatorHolder } from '../../shared/domain/operators/operator-keys.ts';
import type { OperatorScope } from '../../shared/domain/operators/operator-scopes.ts';
import { AppError } from '../../shared/errors.ts';
import type { ApiDeps } from '../api-deps.ts';
import type { ApiEnv } from '../http/api-env.ts';

/** One operation of the admin API: its entry in the OpenAPI document, and its handler. */
export interface AdminOperation {
  /** The scope that an operator key needs. */
  readonly scope: OperatorScope;
  readonly route: RouteConfig;
  readonly handle: (c: Context<ApiEnv>, deps: ApiDeps) => Promise<Response>;
}

/** Adds operations to the application. */
export function registerAdminOperations(app: Hono<ApiEnv>, deps: ApiDeps, operations: readonly AdminOperation[]): void {
  for (const { route, scope, handle } of operations) {
    app.on(route.method.toUpperCase(), route.path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) => {
      requireOperatorScope(c, scope);
      return handle(c, { ...deps, logger: c.get('logger'), stages: c.get('stages'), trace: c.get('trace') });
    });
  }
}

/** The operator of a request that was authenticated. */
export function operatorOf(c: Context<ApiEnv>): OperatorHolder {
  const operator = c.get('operator');
  if (operator === undefined) throw new Error('the request was not authenticated');
  return operator;
}

function requireOperatorScope(c: Context<ApiEnv>, scope: OperatorScope): void {
  const { scopes } = operatorOf(c);
  if (scopes === null || scopes.includes(scope)) return;
  c.header('WWW-Authenticate', `Bearer error="insufficient_scope", scope="${scope}"`);
  throw new AppError('insufficient_scope', `This operator key lacks the scope ${scope}. Use a key that has it.`);
}
