/** The characters around the tags of a template. */
export interface Delimiters {
  readonly open: string;
  readonly close: string;
}

/** The tag syntax of a template version, chosen at upload. */
export interface TemplateSyntax extends Delimiters {
  /** How to treat code, GUIDs and prose between delimiters: as plain text, or as tags like all others. */
  readonly unlikelyTags: 'text' | 'fill';
  /** Whether a backslash before a delimiter makes it plain text. */
  readonly hasEscapes: boolean;
}

export const defaultSyntax: TemplateSyntax = { open: '{', close: '}', unlikelyTags: 'text', hasEscapes: true };

/** The syntax of versions that were stored without one: everything in braces is a tag. */
export const earlierSyntax: TemplateSyntax = { open: '{', close: '}', unlikelyTags: 'fill', hasEscapes: false };

/**
 * The default delimiters, or two to four of these characters each. Letters, quotes and operators of the expression
 * language would clash.
 */
const pair = /^(?:(\{) +(\})|([{}[\]<>$%@!?*+=_-]{2,4}) +([{}[\]<>$%@!?*+=_-]{1,4}))$/;

/**
 * Parses two delimiters separated by a space, such as `{{ }}`, `<< >>` or `${ }`. Undefined if they cannot be used: the
 * closing one must have two characters, unless it is a closing brace, and differ from the opening one.
 */
export function parseDelimiters(text: string): Delimiters | undefined {
  const found = pair.exec(text.trim());
  const open = found?.[1] ?? found?.[3];
  const close = found?.[2] ?? found?.[4];
  if (open === undefined || close === undefined || open === close) return undefined;
  return close.length === 1 && close !== '}' ? undefined : { open, close };
}
