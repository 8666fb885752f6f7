import type { TemplateSyntax } from '../../../../shared/template-syntax.ts';
import { unmarkBraces } from '../../language/delimiters.ts';
import { plain } from '../../language/scan-tags.ts';
import { extractText } from './extract-text.ts';
import type { ScannedPart } from './scan-template.ts';

/** Tags of other engines that are not in braces, and the delimiters to upload them with. */
const otherTags: readonly (readonly [pattern: RegExp, delimiters: string])[] = [
  [/<<\[?[#/^]?\s*[\w.]+\s*\]?>>/, '<< >>'],
  [/\[\[[#/^]?\s*[\w.]+\s*\]\]/, '[[ ]]'],
  [/<%=?\s*[\w.]+\s*%>/, '<% %>'],
];

const docxTemplates = /\+\+\+\s*(?:(?:INS|FOR|IF|END-|IMAGE|EXEC|QUERY|HTML|LINK|=)|[\p{L}$_][^+]*\+\+\+)/u;

export type PartText = Pick<ScannedPart, 'text' | 'texts' | 'collapsed'>;

/** The delimiters of tags that a part seems to have, if they differ from those of its template. */
export function otherDelimiters(part: PartText, { open, close }: TemplateSyntax): string | undefined {
  const read = wholeText(part);
  return otherTags.find(([pattern, delimiters]) => delimiters !== `${open} ${close}` && pattern.test(read))?.[1];
}

/** Whether a part seems to have commands of docx-templates. */
export function hasCommands(part: PartText): boolean {
  return docxTemplates.test(wholeText(part));
}

/** The hint for commands of docx-templates. */
export const migrateCommands = 'rewrite them with "docmill migrate --from docx-templates"';

/** The text of a part, out of order: first around its tags, then in its stretches without tags. */
export function wholeText({ text, collapsed: { stretches } }: PartText): string {
  return unmarkBraces(plain([text, ...stretches.map(({ xml }) => extractText(xml))].join('')));
}
