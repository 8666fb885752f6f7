import type { RouteConfig } from '@hono/zod-openapi';
import type { Context, Hono } from 'hono';
import type { Scope } from '../shared/domain/api-keys/scopes.ts';
import type { ApiDeps } from './api-deps.ts';
import type { ApiEnv } from './http/api-env.ts';
import { requireScope } from './http/require-scope.ts';

/** One operation of the API: its entry in the OpenAPI document, and its handler. */
export interface Operation {
  /** The scope that a key needs; null for an operation that every valid key may call. */
  readonly scope: Scope | null;
  /** Another scope that is enough. */
  readonly alternativeScope?: Scope | undefined;
  readonly route: RouteConfig;
  readonly handle: (c: Context<ApiEnv>, deps: ApiDeps) => Promise<Response>;
}

/**
 * Adds operations to the application; `{id}` in a path becomes the parameter `id`. Everything that a handler logs or
 * times is attributed to its request.
 */
export function registerOperations(app: Hono<ApiEnv>, deps: ApiDeps, operations: readonly Operation[]): void {
  for (const { route, scope, alternativeScope, handle } of operations) {
    app.on(route.method.toUpperCase(), route.path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) => {
      if (scope !== null) requireScope(c, scope, alternativeScope);
      deps.keyUse.note({ keyId: c.get('keyId'), accountId: c.get('accountId'), scope: scope ?? 'any' });
      return handle(c, { ...deps, logger: c.get('logger'), stages: c.get('stages'), trace: c.get('trace') });
    });
  }
}
