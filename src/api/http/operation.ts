import type { OpenAPIHono, RouteConfig } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ApiDeps } from '../context.ts';
import type { ApiEnv } from '../env.ts';

/** One operation of the API: its place in the reference, and what it does. */
export interface Operation {
  readonly route: RouteConfig;
  readonly handle: (c: Context<ApiEnv>, deps: ApiDeps) => Promise<Response>;
}

/** Adds operations to the application and to its OpenAPI document; `{id}` in a path becomes the parameter `id`. */
export function registerOperations(app: OpenAPIHono<ApiEnv>, deps: ApiDeps, operations: readonly Operation[]): void {
  for (const { route, handle } of operations) {
    app.openAPIRegistry.registerPath({ ...route, security: [{ apiKey: [] }] });
    app.on(route.method.toUpperCase(), route.path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) => handle(c, deps));
  }
}
