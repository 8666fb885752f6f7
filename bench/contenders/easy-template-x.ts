import { type Dialect, entered } from './dialect.ts';
import { requireRival } from './install-rivals.ts';

interface EasyTemplateX {
  readonly TemplateHandler: new (options: object) => { process(file: Buffer, data: unknown): Promise<Buffer> };
}

interface ResolverArgs {
  readonly strPath: readonly string[];
  readonly data: unknown;
}

/** The language is nearly ours; what it lacks is `^`, for which the data gets opposites: see `withOpposites`. */
export const easyTemplateXDialect: Dialect = {
  value: (path, home) => `{${[...entered(home).objects, path].join('.')}}`,
  open: ({ path, isInverse }) => `{#${isInverse ? 'not.' : ''}${path}}`,
  close: ({ path, isInverse }) => `{/${isInverse ? 'not.' : ''}${path}}`,
};

export function withOpposites(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const opposites = Object.entries(data).map(([key, value]) => [key, value === false || value === undefined]);
  return { ...data, not: Object.fromEntries(opposites) };
}

export function openEasyTemplateX(): (template: Buffer, data: unknown) => Promise<Buffer> {
  const { TemplateHandler } = requireRival('easy-template-x') as EasyTemplateX;
  return async (template, data) =>
    Buffer.from(await new TemplateHandler({ scopeDataResolver: findValue }).process(template, data));
}

/** Its own way of looking a value up, from the innermost section outwards, with dots in the names of tags. */
function findValue({ strPath, data }: ResolverArgs): unknown {
  const name = strPath.at(-1)?.split('.') ?? [];
  for (let depth = strPath.length - 1; depth >= 0; depth--) {
    const keys = [...strPath.slice(0, depth).flatMap((part) => part.split('.')), ...name];
    const value = keys.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], data);
    if (value !== undefined) return value;
  }
  return undefined;
}
