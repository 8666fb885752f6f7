import type { ErrorDetail } from '@docmill/client';

/** A mistake or a warning of a template, with where it is. */
export interface Problem {
  readonly kind: 'mistake' | 'warning';
  readonly message: string;
  readonly tag?: string;
  /** The part of the document: body, header 1, footnotes … */
  readonly part?: string;
  /** The text around the tag, with `…` where it is cut. */
  readonly context?: string;
  readonly hint?: string;
  readonly paths?: readonly string[];
  readonly count?: number;
}

/** The mistakes that an error of the API lists. */
export function mistakesOf(details: readonly ErrorDetail[]): readonly Problem[] {
  return details.map(({ message, tag, part, context, hint }) => ({
    kind: 'mistake',
    message,
    ...(isText(tag) && { tag }),
    ...(isText(part) && { part }),
    ...(isText(context) && { context }),
    ...(isText(hint) && { hint }),
  }));
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

interface Warning {
  readonly code: string;
  readonly message: string;
  readonly part?: string;
  readonly paths?: readonly string[];
  readonly count?: number;
}

export function warningsOf(warnings: readonly Warning[]): readonly Problem[] {
  return warnings.map(({ code, message, part, paths, count }) => ({
    kind: 'warning',
    message,
    ...withTag(code, message),
    ...(part !== undefined && { part }),
    ...(paths !== undefined && paths.length > 0 && { paths }),
    ...(count !== undefined && { count }),
  }));
}

/** The warning of a tag begins with it. A tag that is not filled stands where no page shows it, as in an alternative text. */
function withTag(code: string, message: string): { readonly tag?: string } {
  const [tag] = (code !== 'tag_not_filled' && /^\{[^{}]+\}/.exec(message)) || [];
  return tag === undefined ? {} : { tag };
}
