import type { TemplateSyntax } from '../../../../shared/template-syntax.ts';
import { markLiteralBraces } from '../../language/delimiters.ts';
import { plain } from '../../language/scan-tags.ts';
import { extractText } from './extract-text.ts';
import type { ScannedPart } from './scan-template.ts';

/** The default delimiters. A template with other delimiters leaves tags with these as text. */
export const bracesAsDelimiters = '{ }';

/** Tags with delimiters other than the template's, and the delimiters to specify at upload. */
const otherTags: readonly (readonly [pattern: RegExp, delimiters: string])[] = [
  [/<<\[?[#/^]?\s*[\w.]+\s*\]?>>/, '<< >>'],
  [/\[\[[#/^]?\s*[\w.]+\s*\]\]/, '[[ ]]'],
  [/<%=?\s*[\w.]+\s*%>/, '<% %>'],
  // Only braces that are text are marked. Braces around tags never are, regardless of the template's delimiters.
  [
    new RegExp(`${markLiteralBraces('{')}[#/^]?\\s*[\\p{L}_][\\p{L}\\w.]*\\s*${markLiteralBraces('}')}`, 'u'),
    bracesAsDelimiters,
  ],
];

const docxTemplates = /\+\+\+\s*(?:(?:INS|FOR|IF|END-|IMAGE|EXEC|QUERY|HTML|LINK|=)|[\p{L}$_][^+]*\+\+\+)/u;

export type PartText = Pick<ScannedPart, 'text' | 'texts' | 'collapsed'>;

/** The delimiters of tags that a part seems to have, if they differ from those of its template. */
export function otherDelimiters(part: PartText, { open, close }: TemplateSyntax): string | undefined {
  const read = markedText(part);
  return otherTags.find(([pattern, delimiters]) => delimiters !== `${open} ${close}` && pattern.test(read))?.[1];
}

/** Whether a part seems to have commands of docx-templates. */
export function hasCommands(part: PartText): boolean {
  return docxTemplates.test(markedText(part));
}

/** The hint for commands of docx-templates. */
export const migrateCommands = 'rewrite them with "docmill migrate --from docx-templates"';

/**
 * The text of a part, out of order: first around its tags, then in its stretches without tags. Braces that are text are
 * marked; in those stretches, all of them are.
 */
function markedText({ text, collapsed: { stretches } }: PartText): string {
  return plain(text) + stretches.map(({ xml }) => markLiteralBraces(plain(extractText(xml)))).join('');
}
