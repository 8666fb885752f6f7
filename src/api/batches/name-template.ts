import { isObject } from './source-row.ts';

/** A text with `{path}` in it, filled from a row: `invoice-{number}`, `{customer.email}`, `{items[0].name}`. */
export interface NameTemplate {
  readonly isFixed: boolean;
  fill(value: unknown): string;
}

const placeholder = /\{([^{}]{1,200})\}/g;

/** What a path leads to that is no text, number or truth prints nothing. */
export function compileName(text: string): NameTemplate {
  const paths = [...text.matchAll(placeholder)].map(([, path = '']) => toSteps(path));
  return {
    isFixed: paths.length === 0,
    fill: (value) => {
      let next = 0;
      return text.replaceAll(placeholder, () => print(follow(value, paths[next++] ?? [])));
    },
  };
}

function toSteps(path: string): readonly string[] {
  return path
    .trim()
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .split('.');
}

function follow(value: unknown, steps: readonly string[]): unknown {
  let here = value;
  for (const step of steps) {
    if (!(isObject(here) || Array.isArray(here)) || !Object.hasOwn(here, step)) return undefined;
    here = (here as Readonly<Record<string, unknown>>)[step];
  }
  return here;
}

function print(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
