import { attribute, type CheckedPackage, type CheckedPart, elements, wordNs } from './read-package.ts';

const ranges = ['bookmark', 'commentRange', 'perm', 'moveFromRange', 'moveToRange'];
const references = [
  ['footnoteReference', 'footnote'],
  ['endnoteReference', 'endnote'],
  ['commentReference', 'comment'],
  ['commentRangeStart', 'comment'],
  ['commentRangeEnd', 'comment'],
] as const;

/** Ranges without start or end, and references to notes, comments and bookmarks that do not exist. */
export function danglingReferences({ parts }: CheckedPackage): string[] {
  const all = (name: string) => parts.flatMap(({ document }) => elements(document, wordNs, name));
  const problems = parts.flatMap(openRanges);
  for (const [reference, target] of references) {
    const known = new Set(all(target).map((element) => attribute(element, 'id')));
    for (const id of all(reference).map((element) => attribute(element, 'id'))) {
      if (!known.has(id)) problems.push(`${reference}: there is no ${target} ${id}`);
    }
  }
  const bookmarks = new Set(all('bookmarkStart').map((element) => attribute(element, 'name').toLowerCase()));
  for (const link of all('hyperlink')) {
    const anchor = attribute(link, 'anchor').toLowerCase();
    if (anchor !== '' && anchor !== '_top' && !bookmarks.has(anchor)) problems.push(`hyperlink: no bookmark ${anchor}`);
  }
  return problems;
}

function openRanges({ name, document }: CheckedPart): string[] {
  return ranges.flatMap((range) => {
    const ids = (end: string) =>
      elements(document, wordNs, `${range}${end}`).map((element) => attribute(element, 'id'));
    const starts = ids('Start');
    const ends = ids('End');
    return [
      ...starts.filter((id) => !ends.includes(id)).map((id) => `${name}: ${range} ${id} has no end`),
      ...ends.filter((id) => !starts.includes(id)).map((id) => `${name}: ${range} ${id} has no start`),
      ...ends.filter((id, i) => ends.indexOf(id) !== i).map((id) => `${name}: ${range} ${id} ends twice`),
    ];
  });
}
