import { requireContender } from './packages.ts';
import { type Dialect, enclosing } from './translate.ts';

interface EasyTemplateX {
  readonly TemplateHandler: new (options: object) => { process(file: Buffer, data: unknown): Promise<Buffer> };
}

interface ResolverArgs {
  readonly strPath: readonly string[];
  readonly data: unknown;
}

/**
 * The language is almost the same as ours. It lacks `^`, so `withOpposites` adds negated values to the data instead.
 */
export const easyTemplateXDialect: Dialect = {
  value: (path, scopes) => `{${[...enclosing(scopes).objects, path].join('.')}}`,
  open: ({ path, isInverse }) => `{#${isInverse ? 'not.' : ''}${path}}`,
  close: ({ path, isInverse }) => `{/${isInverse ? 'not.' : ''}${path}}`,
};

export function withOpposites(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const opposites = Object.entries(data).map(([key, value]) => [key, value === false || value === undefined]);
  return { ...data, not: Object.fromEntries(opposites) };
}

export function openEasyTemplateX(): (template: Buffer, data: unknown) => Promise<Buffer> {
  const { TemplateHandler } = requireContender('easy-template-x') as EasyTemplateX;
  return async (template, data) =>
    Buffer.from(await new TemplateHandler({ scopeDataResolver: findValue }).process(template, data));
}

/** Looks up a value from the innermost section outwards; tag names may contain dots. */
function findValue({ strPath, data }: ResolverArgs): unknown {
  const name = strPath.at(-1)?.split('.') ?? [];
  for (let depth = strPath.length - 1; depth >= 0; depth--) {
    const keys = [...strPath.slice(0, depth).flatMap((part) => part.split('.')), ...name];
    const value = keys.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], data);
    if (value !== undefined) return value;
  }
  return undefined;
}
