import type { ExpressionProblem } from './expressions/parse-tag-text.ts';

export type TagKind = 'value' | 'section' | 'inverted' | 'close' | 'special';

/** A kind of tag that is added to the language, known by the sign it starts with: `{~html}`, `{%picture}`. */
export interface TagSyntax {
  readonly prefix: string;
  /** Whether what follows the prefix is one expression. */
  readonly isExpression: boolean;
  /** The expression in what follows the prefix, where they are not the same. */
  readonly expressionOf?: (text: string) => string;
  /** What is wrong with what follows the prefix; undefined when nothing is. */
  readonly check: (text: string) => ExpressionProblem | undefined;
}

/** The added kinds of tags by their prefix. */
export type TagSyntaxes = ReadonlyMap<string, TagSyntax>;

export interface ParsedTag {
  readonly kind: TagKind;
  /** What stands after the prefix, trimmed: a name or an expression; empty for `{/}`. */
  readonly text: string;
  /** Set on special tags. */
  readonly syntax: TagSyntax | undefined;
}

const kinds: Readonly<Record<string, TagKind>> = { '#': 'section', '^': 'inverted', '/': 'close' };

/** Reads the text between two braces. */
export function parseTag(inner: string, syntaxes: TagSyntaxes): ParsedTag {
  const trimmed = inner.trim();
  const prefix = trimmed.charAt(0);
  const text = trimmed.slice(1).trim();
  const kind = kinds[prefix];
  if (kind !== undefined) return { kind, text, syntax: undefined };
  const syntax = syntaxes.get(prefix);
  if (syntax === undefined) return { kind: 'value', text: trimmed, syntax };
  return { kind: 'special', text: syntax.expressionOf?.(text) ?? text, syntax };
}

const unsupported: Readonly<Record<string, string>> = {
  '@': 'raw XML tags are not allowed: print the value with a plain tag',
  '=': 'the delimiters cannot be changed: write tags with { and }',
};

/** Why this tag is rejected at upload, whatever its expression says; undefined when it is not. */
export function tagProblem({ kind, text }: ParsedTag): string | undefined {
  if (text === '') return kind === 'close' ? undefined : 'the name is missing';
  if (kind !== 'value') return undefined;
  return /^[~%|]/.test(text) ? `tags that start with ${text.charAt(0)} are not supported` : prefixProblem(text);
}

/** Why an expression must not start as it does: with a sign to which other template languages give a meaning. */
export function prefixProblem(text: string): string | undefined {
  if (/^-[a-z]+:[a-z]+\s/i.test(text)) return 'tags that start with a minus sign are not supported';
  return unsupported[text.charAt(0)];
}
