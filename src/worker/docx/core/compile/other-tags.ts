import type { TemplateSyntax } from '../../../../shared/template-syntax.ts';
import { unmarkBraces } from '../../language/delimiters.ts';
import { plain } from '../../language/scan-tags.ts';
import { extractText } from './extract-text.ts';
import type { ScannedPart } from './scan-template.ts';

/** Tags outside of braces, as other engines have them, and the delimiters with which they can be uploaded. */
const otherTags: readonly (readonly [pattern: RegExp, delimiters: string])[] = [
  [/<<\[?[#/^]?\s*[\w.]+\s*\]?>>/, '<< >>'],
  [/\[\[[#/^]?\s*[\w.]+\s*\]\]/, '[[ ]]'],
  [/<%=?\s*[\w.]+\s*%>/, '<% %>'],
];

const docxTemplates = /\+\+\+\s*(?:(?:INS|FOR|IF|END-|IMAGE|EXEC|QUERY|HTML|LINK|=)|[\p{L}$_][^+]*\+\+\+)/u;

export type PartText = Pick<ScannedPart, 'text' | 'texts' | 'collapsed'>;

/** The delimiters of tags that a part seems to have, apart from those of its template. */
export function otherDelimiters(part: PartText, { open, close }: TemplateSyntax): string | undefined {
  const read = wholeText(part);
  return otherTags.find(([pattern, delimiters]) => delimiters !== `${open} ${close}` && pattern.test(read))?.[1];
}

/** Whether a part seems to have commands of docx-templates. */
export function hasCommands(part: PartText): boolean {
  return docxTemplates.test(wholeText(part));
}

/** What to do about commands of docx-templates. */
export const migrateCommands = 'rewrite them with "docmill migrate --from docx-templates"';

/** The text of a part, without order: that around its tags, then that of its stretches without tags. */
export function wholeText({ text, collapsed: { stretches } }: PartText): string {
  return unmarkBraces(plain([text, ...stretches.map(({ xml }) => extractText(xml))].join('')));
}
