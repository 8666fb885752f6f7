import type { TemplateSyntax } from '../../../shared/template-syntax.ts';
import { hasCommands, migrateCommands, otherDelimiters } from '../core/compile/other-tags.ts';
import type { ScannedPart } from '../core/compile/scan-template.ts';
import { hasDefaultDelimiters, markLiteralBraces } from '../language/delimiters.ts';
import { isPlainName } from '../language/expressions/names.ts';
import type { ScannedTag } from '../language/scan-tags.ts';
import { isUnlikelyName } from '../language/unlikely-tags.ts';

interface TextWarning {
  readonly code: string;
  /** Written with braces as delimiters. */
  readonly message: string;
}

/** Warnings about text that looks like tags, tags that may be text, and tags of other template languages. */
export function* textWarnings(part: ScannedPart, syntax: TemplateSyntax): Generator<TextWarning> {
  if (syntax.unlikelyTags === 'fill') return;
  for (const { written, kind } of part.texts) yield { code: 'text_in_braces', message: textMessage(written, kind) };
  for (const text of part.escapesInPaths) {
    const message = `In "${text}" a backslash makes the brace text. To print a backslash before a value, write \\\\{name}.`;
    yield { code: 'escaped_brace', message };
  }
  const values = part.tags.filter(({ kind }) => kind === 'value');
  for (const { written, text } of values) {
    if (isPlainName(text) && isUnlikelyName(text)) yield { code: 'unlikely_tag', message: unlikelyMessage(written) };
  }
  yield* foreignWarnings(part, values, syntax);
}

function textMessage(written: string, kind: string | undefined): string {
  if (kind === undefined) return `A ${written} without its counterpart prints as it is. Write \\${written} to say so.`;
  const inner = written.slice(1, -1).trim();
  const filled = inner === '' || /["\\]/.test(inner) ? 'a name' : `{["${inner}"]}`;
  return `${written} prints as it is, because it counts as ${kind}. Write \\${written} to say so, or ${filled} for a tag.`;
}

function unlikelyMessage(written: string): string {
  return `${written} is a tag, and prints as written when the data has no such key. If it is text, write \\${written}.`;
}

function* foreignWarnings(
  part: ScannedPart,
  values: readonly ScannedTag[],
  syntax: TemplateSyntax,
): Generator<TextWarning> {
  const other = otherDelimiters(part, syntax);
  if (other !== undefined) {
    const between = markLiteralBraces(other);
    const message = `Texts between ${between.replace(' ', ' and ')} print as they are. If they are tags, upload the template with the delimiters "${between}", or write {name}.`;
    yield { code: 'foreign_syntax', message };
  }
  if (hasCommands(part)) {
    const message = `Commands of docx-templates print as they are. If they are tags, ${migrateCommands}.`;
    yield { code: 'foreign_syntax', message };
  }
  const [first] = values;
  if (first === undefined) return;
  if (hasDefaultDelimiters(syntax) && values.every(({ offset }) => part.text.charAt(offset - 1) === '$')) {
    const message = `A $ prints before the value of ${first.written}. If it belongs to the tag, remove it, or upload the template with the delimiters "\${ }".`;
    yield { code: 'foreign_syntax', message };
  }
  const [, root, name] = /^([dc])\.(\w+)/.exec(first.text) ?? [];
  if (root !== undefined && values.every((tag) => tag.text.startsWith(`${root}.`))) {
    const message = `${first.written} looks up "${name}" in "${root}" of the data, as templates of Carbone do. Write {${name}} if the data has no "${root}".`;
    yield { code: 'foreign_syntax', message };
  }
}
