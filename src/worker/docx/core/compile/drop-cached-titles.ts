import type { Delimiters } from '../../../../shared/template-syntax.ts';
import { delimiterPattern } from '../../language/delimiters.ts';
import type { DocxPackage } from '../../package/open-package.ts';
import { overlayPackage } from '../../package/overlay-package.ts';

const extendedProperties = 'application/vnd.openxmlformats-officedocument.extended-properties+xml';
const titles = /<(HeadingPairs|TitlesOfParts)>.*?<\/\1>/gs;
/** The first characters of tags, including those of other template languages. */
const likeTags = /[{[+]|&lt;/;

/**
 * Removes Word's copy of the headings from the properties if it contains tags. Authors do not see the copy, and it does
 * not close a section that a heading opens. Word writes it again.
 */
export function dropCachedTitles(source: DocxPackage, { open }: Delimiters): DocxPackage {
  const opening = new RegExp(delimiterPattern(open));
  const changes = new Map<string, Buffer>();
  for (const name of source.partNames) {
    if (source.contentType(name) !== extendedProperties) continue;
    const xml = source.readText(name) ?? '';
    const hasTags = xml.match(titles)?.some((text) => likeTags.test(text) || opening.test(text)) === true;
    if (hasTags) changes.set(name, Buffer.from(xml.replace(titles, '')));
  }
  return overlayPackage(source, changes);
}
