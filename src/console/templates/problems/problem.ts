import type { ErrorDetail } from '@docmill/client';

/** An error or a warning of a template, with its location. */
export interface Problem {
  readonly kind: 'mistake' | 'warning';
  readonly message: string;
  readonly tag?: string;
  /** The part of the document, such as body, header 1 or footnotes. */
  readonly part?: string;
  /** The text around the tag, with `…` where it is truncated. */
  readonly context?: string;
  readonly hint?: string;
  readonly paths?: readonly string[];
  readonly count?: number;
  /** Whether the account can solve it by uploading a font. */
  readonly isMissingFont?: true;
}

/** The template errors listed in an API error. */
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

/** @param delimiters those of the tags in the messages, as in the metadata of a template: `{{ }}` */
export function warningsOf(warnings: readonly Warning[], delimiters: string): readonly Problem[] {
  return warnings.map(({ code, message, part, paths, count }) => ({
    kind: 'warning',
    message,
    ...withTag(code, message, delimiters),
    ...(part !== undefined && { part }),
    ...(paths !== undefined && paths.length > 0 && { paths }),
    ...(count !== undefined && { count }),
    ...(code === 'font_missing' && { isMissingFont: true }),
  }));
}

/**
 * The message of a tag warning begins with the tag. An unfilled tag is never on a page; it is in alternative text, for
 * example.
 */
function withTag(code: string, message: string, delimiters: string): { readonly tag?: string } {
  const [open = '{', close = '}'] = delimiters.split(' ');
  const end = message.indexOf(close, open.length);
  if (code === 'tag_not_filled' || !message.startsWith(open) || end <= open.length) return {};
  return { tag: message.slice(0, end + close.length) };
}
