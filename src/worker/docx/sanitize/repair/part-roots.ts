import { scanXmlTags } from '@docmill/word/xml-tokens';
import type { DocxPackage } from '../../package/open-package.ts';
import { encodingOf } from '../../package/xml-text.ts';

/**
 * The root elements of the parts that LibreOffice opens, by the kind of their relationship (ECMA-376 part 1, 11.3 and
 * 14.2).
 */
const rootOfKind: Readonly<Record<string, string>> = {
  header: 'hdr',
  footer: 'ftr',
  styles: 'styles',
  styleswitheffects: 'styles',
  settings: 'settings',
  websettings: 'webSettings',
  numbering: 'numbering',
  footnotes: 'footnotes',
  endnotes: 'endnotes',
  comments: 'comments',
  fonttable: 'fonts',
  theme: 'theme',
  themeoverride: 'themeOverride',
  glossarydocument: 'glossaryDocument',
  chart: 'chartSpace',
  chartex: 'chartSpace',
  chartusershapes: 'userShapes',
  diagramdata: 'dataModel',
  diagramlayout: 'layoutDef',
  diagramquickstyle: 'styleDef',
  diagramcolors: 'colorsDef',
  diagramdrawing: 'drawing',
};

const headBytes = 4096;

/** Whether readers open the target of a relationship of this kind as a part of the document. */
export function opensPart(kind: string): boolean {
  return rootOfKind[kind] !== undefined;
}

/** Whether the part `name` is a valid target for a relationship of this kind. */
export function fitsKind(docx: DocxPackage, name: string, kind: string): boolean {
  const expected = rootOfKind[kind];
  return expected === undefined || rootOf(docx, name) === expected;
}

/** The local name of a part's root element; undefined for a part that is not XML. */
function rootOf(docx: DocxPackage, name: string): string | undefined {
  const head = docx.readHead(name, headBytes) ?? Buffer.alloc(0);
  const ofHead = encodingOf(head) === 'utf-8' ? firstElement(head.toString('utf8')) : undefined;
  if (ofHead !== undefined) return ofHead;
  try {
    return firstElement(docx.readText(name) ?? '');
  } catch {
    return undefined;
  }
}

function firstElement(xml: string): string | undefined {
  let root: string | undefined;
  scanXmlTags(xml, ({ kind, local }) => {
    if (kind !== 'close') root ??= local;
  });
  return root;
}
