import type { ExpressionProblem } from './expressions/parse-tag-text.ts';

export type TagKind = 'value' | 'section' | 'inverted' | 'close' | 'special';

/** A kind of tag that a feature adds to the language, identified by its prefix: `{~html}`, `{%picture}`. */
export interface TagSyntax {
  readonly prefix: string;
  /** Whether the text after the prefix is a single expression. */
  readonly isExpression: boolean;
  /** Extracts the expression from the text after the prefix, if they differ. */
  readonly expressionOf?: (text: string) => string;
  /** The problem of the text after the prefix, if any. */
  readonly check: (text: string) => ExpressionProblem | undefined;
}

/** The added kinds of tags by prefix. */
export type TagSyntaxes = ReadonlyMap<string, TagSyntax>;

export interface ParsedTag {
  readonly kind: TagKind;
  /** The trimmed text after the prefix: a name or an expression; empty for `{/}`. */
  readonly text: string;
  /** Set on tags that a feature adds. */
  readonly syntax: TagSyntax | undefined;
}

/** `{-w:tr items}`: a section of the whole paragraphs, rows or tables that its tags are in, as docxtemplater writes it. */
export const elementSection = /^\s*-\s*(w:(?:p|tr|tbl))\s+(\S[\s\S]*)$/;

const kinds: Readonly<Record<string, TagKind>> = { '#': 'section', '^': 'inverted', '/': 'close' };

/** Parses the text between two braces. */
export function parseTag(inner: string, syntaxes: TagSyntaxes): ParsedTag {
  const trimmed = inner.trim();
  const prefix = trimmed.charAt(0);
  const text = trimmed.slice(1).trim();
  const kind = kinds[prefix];
  if (kind !== undefined) return { kind, text, syntax: undefined };
  const ofElement = elementSection.exec(trimmed)?.[2];
  if (ofElement !== undefined) return { kind: 'section', text: ofElement, syntax: undefined };
  const syntax = syntaxes.get(prefix);
  if (syntax === undefined) return { kind: 'value', text: trimmed, syntax };
  return { kind: 'special', text: syntax.expressionOf?.(text) ?? text, syntax };
}

/** Include tags in the wrong place. The feature `include` has already replaced all others. */
const misplacedInclude = /^(?:include|letterhead)\s+["“”„‟″«»'‘’‚‛′]/;

const unsupported: Readonly<Record<string, string>> = {
  '@': 'raw XML tags are not allowed: print the value with a plain tag',
  '=': 'the delimiters cannot be changed: write tags with { and }',
};

/** The reason to reject a tag at upload, regardless of its expression; undefined if there is none. */
export function tagProblem({ kind, text }: ParsedTag): string | undefined {
  if (text === '') return kind === 'close' ? undefined : 'the name is missing';
  if (kind !== 'value') return undefined;
  if (misplacedInclude.test(text)) return 'it must be alone in a paragraph of the body, or of a table in it';
  return /^[~%|]/.test(text) ? `tags that start with ${text.charAt(0)} are not supported` : prefixProblem(text);
}

/** The problem of an expression that starts with a prefix of another template language, if any. */
export function prefixProblem(text: string): string | undefined {
  if (/^-[a-z]+:[a-z]+\s/i.test(text)) return 'tags that start with a minus sign are not supported';
  return unsupported[text.charAt(0)];
}
