export type TagKind = 'value' | 'section' | 'inverted' | 'close' | 'html' | 'picture' | 'column';

export interface ParsedTag {
  readonly kind: TagKind;
  /** What stands after the prefix, trimmed: a name or a formula; empty for `{/}`. */
  readonly text: string;
}

const kinds: Readonly<Record<string, TagKind>> = {
  '#': 'section',
  '^': 'inverted',
  '/': 'close',
  '~': 'html',
  '%': 'picture',
  '|': 'column',
};

/** Reads the text between two braces. */
export function parseTag(inner: string): ParsedTag {
  const trimmed = inner.trim();
  const kind = kinds[trimmed.charAt(0)];
  return kind === undefined
    ? { kind: 'value', text: trimmed }
    : { kind, text: textAfter(kind, trimmed.slice(1).trim()) };
}

/** `{|^secret}` is a column that stands where `secret` is not true. */
function textAfter(kind: TagKind, text: string): string {
  return kind === 'column' && text.startsWith('^') ? text.slice(1).trim() : text;
}

const unsupported: Readonly<Record<string, string>> = {
  '@': 'raw XML tags are not allowed: print the value with a plain tag',
  '=': 'the delimiters cannot be changed: write tags with { and }',
  '~': 'HTML tags start with one ~',
};

/** Why this tag is refused at upload, or undefined. */
export function tagProblem(tag: ParsedTag): string | undefined {
  if (tag.text === '') return tag.kind === 'close' ? undefined : 'the name is missing';
  if (tag.kind !== 'value' && tag.kind !== 'html') return undefined;
  if (/^-[a-z]+:[a-z]+\s/i.test(tag.text)) return 'tags that start with a minus sign are not supported';
  return unsupported[tag.text.charAt(0)];
}
