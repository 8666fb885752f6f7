import type { DataSchema } from '../../shared/data-schema.ts';
import { hasOwn } from '../../shared/json.ts';
import { invalidField } from '../http/parse-request.ts';
import type { BatchOptions } from './batch-request.ts';

/** The strings of a row that are filled with its own data. */
export interface RowTexts {
  readonly filename: string | undefined;
  readonly email:
    | {
        readonly to: readonly string[];
        readonly cc: readonly string[];
        readonly bcc: readonly string[];
        readonly subject: string | undefined;
      }
    | undefined;
}

export interface RowTextTemplate {
  /** True when the strings are the same for every row. */
  readonly isFixed: boolean;
  fill(data: unknown): RowTexts;
  /**
   * Throws `invalid_request` if the file name or the subject names a value that none of the filled rows had, and that
   * the template does not use either: most likely a typing mistake.
   */
  requireValues(schema: DataSchema): void;
}

/** Compiles the file name, addresses and subject that `output` gives for all rows. */
export function compileRowTexts({ output }: BatchOptions): RowTextTemplate {
  const filename = output.filename === undefined ? undefined : compileText(output.filename, withoutSeparators);
  const compileAll = (texts: readonly string[] = []) => texts.map((text) => compileText(text));
  const to = compileAll(output.email?.to);
  const cc = compileAll(output.email?.cc);
  const bcc = compileAll(output.email?.bcc);
  const subject = output.email?.subject === undefined ? undefined : compileText(output.email.subject);
  const all = [filename, subject, ...to, ...cc, ...bcc];
  return {
    isFixed: all.every((text) => text === undefined || text.isFixed),
    fill: (data) => ({
      filename: filename?.fill(data),
      email:
        output.email === undefined
          ? undefined
          : {
              to: to.map((text) => text.fill(data)),
              cc: cc.map((text) => text.fill(data)),
              bcc: bcc.map((text) => text.fill(data)),
              subject: subject?.fill(data),
            },
    }),
    requireValues(schema) {
      requireValue('output.filename', filename, schema);
      requireValue('output.email.subject', subject, schema);
    },
  };
}

function requireValue(field: string, text: TextTemplate | undefined, { properties = {} }: DataSchema): void {
  const path = text?.unfilled().find((unfilled) => !Object.hasOwn(properties, parsePath(unfilled)[0] ?? ''));
  if (path !== undefined)
    throw invalidField(field, `no row has a value for {${path}}. Correct the path, or leave it out`);
}

/** A string with placeholders for paths into a row: `invoice-{number}`, `{customer.email}`, `{items[0].name}`. */
interface TextTemplate {
  readonly isFixed: boolean;
  fill(data: unknown): string;
  /** The paths that had a value in none of the rows filled so far; none before the first row. */
  unfilled(): readonly string[];
}

const placeholder = /\{([^{}]{1,200})\}/g;

/** A value such as `5/2026` would otherwise look like a path, of which a file name keeps only the last part. */
const withoutSeparators = (value: string): string => value.replace(/[/\\]/g, '-');

/** Compiles a string. A path without a value, or to an object or list, prints nothing. */
function compileText(text: string, change = (value: string) => value): TextTemplate {
  const paths = new Map(Array.from(text.matchAll(placeholder), ([, path = '']) => [path, parsePath(path)]));
  const unfilled = new Set(paths.keys());
  let isUsed = false;
  return {
    isFixed: paths.size === 0,
    fill: (data) => {
      isUsed = true;
      return text.replaceAll(placeholder, (_tag, path: string) => {
        const value = resolve(data, paths.get(path) ?? []);
        // An empty value also counts as known, such as a middle name that nobody in a small list has.
        if (value === null || isPrinted(value)) unfilled.delete(path);
        return change(print(value));
      });
    },
    unfilled: () => (isUsed ? [...unfilled] : []),
  };
}

function parsePath(path: string): readonly string[] {
  return path
    .trim()
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .split('.');
}

function resolve(data: unknown, path: readonly string[]): unknown {
  let value = data;
  for (const key of path) {
    if (!hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

const isPrinted = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

const print = (value: unknown): string => (isPrinted(value) ? String(value) : '');
