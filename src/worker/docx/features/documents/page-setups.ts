/** References to headers and footers, by kind (header or footer) and type of page. */
type Frames = ReadonlyMap<string, string>;

const frame = /<w:(header|footer)Reference\b[^>]*\/>/g;

/** The references of a page setup to headers and footers, as markup. */
export function framesOf(setup: string): Frames {
  return new Map(
    Array.from(setup.matchAll(frame), ([xml, kind]) => {
      return [`${kind} ${/\sw:type="([^"]*)"/.exec(xml)?.[1] ?? 'default'}`, xml];
    }),
  );
}

/** The page setup after the last item. It has no headers or footers, and begins a new page. */
export function asBehind(setup: string): string {
  return setup.replace(frame, '').replace(onSamePage, '');
}

const onSamePage = /<w:type\s+w:val="(?:continuous|nextColumn)"\s*\/>/;

/**
 * The page setup of the first pages of a document. It begins a new page and restarts the page numbers. Word would
 * inherit missing headers and footers from the end of the previous document, so it names all of its own, and empty ones
 * for those in `later`.
 */
export function asFirst(setup: string, inherited: Frames, later: Frames): string {
  const own = framesOf(setup);
  const blank = [...later.keys()].map((key) => [key, blankFrame(key)] as const);
  const missing = [...new Map([...blank, ...inherited])].filter(([key]) => !own.has(key)).map(([, xml]) => xml);
  const open = /^<w:sectPr[^>]*>/.exec(setup)?.[0] ?? '<w:sectPr>';
  const isEmpty = open.endsWith('/>');
  const start = isEmpty ? `${open.slice(0, -2)}>` : open;
  const rest = isEmpty ? '</w:sectPr>' : setup.slice(open.length);
  return start + missing.join('') + numberedFrom1(rest.replace(onSamePage, ''));
}

/** A reference to an empty header or footer, which the feature `frames` adds. */
function blankFrame(key: string): string {
  const [kind = '', type = ''] = key.split(' ');
  return `<w:${kind}Reference w:type="${type}" r:id=""/>`;
}

/** Elements that follow `w:pgNumType` (ECMA-376 part 1, 17.6.17). */
const later =
  /<w:(?:cols|formProt|vAlign|noEndnote|titlePg|textDirection|bidi|rtlGutter|docGrid|printerSettings|sectPrChange)\b|<\/w:sectPr/;

function numberedFrom1(content: string): string {
  const numbers = /<w:pgNumType\b[^>]*\/>/.exec(content)?.[0];
  if (numbers?.includes('w:start=') === true) return content;
  if (numbers !== undefined) return content.replace(numbers, numbers.replace(/\s*\/>$/, ' w:start="1"/>'));
  const at = content.search(later);
  return `${content.slice(0, at)}<w:pgNumType w:start="1"/>${content.slice(at)}`;
}
