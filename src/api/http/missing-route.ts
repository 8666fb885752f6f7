import type { Context } from 'hono';
import { AppError } from '../../shared/errors.ts';
import type { ApiEnv } from './api-env.ts';
import { toErrorResponse } from './problem.ts';

/** The fields used from Hono's route list; middleware has the method `ALL`. */
interface Route {
  readonly method: string;
  readonly path: string;
}

const maxShownPath = 200;

/**
 * Answers requests that match no route: 405 with `Allow` for a known path (RFC 9110, 15.5.6), 204 with `Allow` for its
 * OPTIONS, and 404 for any other. Runs after authentication, so that it reveals nothing to clients without a key.
 */
export function missingRoute(routes: readonly Route[]): (c: Context<ApiEnv>) => Response {
  const known = routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => ({ method, pattern: toPattern(path) }));
  const methodsOf = (path: string): string[] => {
    const methods = new Set(known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method));
    if (methods.has('GET')) methods.add('HEAD');
    if (methods.size > 0) methods.add('OPTIONS');
    return [...methods].sort();
  };
  return (c) => {
    const { method, path } = c.req;
    const methods = methodsOf(path);
    if (methods.length === 0)
      return toErrorResponse(notFound(method, path, methodsOf(withoutSlash(path)).length > 0), c);
    c.header('Allow', methods.join(', '));
    if (method === 'OPTIONS') return c.body(null, 204);
    const message = `${method} is not possible here. Possible: ${methods.join(', ')}`;
    return toErrorResponse(new AppError('method_not_allowed', message), c);
  };
}

function notFound(method: string, path: string, isKnownWithoutSlash: boolean): AppError {
  const hint = isKnownWithoutSlash ? '. Leave out the slash at the end.' : '';
  return new AppError('not_found', `There is no operation ${method} ${path.slice(0, maxShownPath)}${hint}`);
}

const withoutSlash = (path: string): string => path.replace(/\/+$/, '');

function toPattern(path: string): RegExp {
  const literal = path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll(/:\w+/g, '[^/]+').replaceAll('\\*', '.*')}$`);
}
