import { packageLimits } from '../limits.ts';
import type { DocxPackage } from '../package/open-package.ts';
import { svgContent } from '../package/svg-content.ts';
import { type PictureVerdict, validateSvg } from '../package/validate-svg.ts';
import { decodeXml } from '../package/xml-text.ts';
import { isCostlySvg } from './is-costly-svg.ts';
import { isCostlyMetafile, metafileContent } from './metafile/is-costly-metafile.ts';

const headBytes = 64;
/** `<?xm` in EBCDIC. */
const ebcdicMarkup = Buffer.from('4c6fa794', 'hex');
const packedPostScript = Buffer.from('c5d0d3c6', 'hex');

/**
 * Checks the content of a part whose name and type do not make it XML. SVG may refer to files and hosts, PostScript is
 * a program, LibreOffice reads any markup as a header or style sheet if a relationship points to it, and the records of
 * a metafile may take forever to draw.
 */
export function validatePicture(docx: DocxPackage, name: string): PictureVerdict {
  const head = docx.readHead(name, headBytes) ?? Buffer.alloc(0);
  if (head.toString('latin1', 0, 2) === '%!' || head.subarray(0, 4).equals(packedPostScript)) return 'unsafe';
  try {
    const readAll = () => docx.read(name) ?? Buffer.alloc(0);
    const svg = svgContent({ name, head, readAll }, packageLimits.maxPartBytes);
    if (svg !== undefined) return isCostlySvg(decodeXml(svg, name)) ? 'unsafe' : validateSvg(svg, name);
    const metafile = metafileContent(head, readAll, packageLimits.maxPartBytes);
    if (metafile !== undefined) return isCostlyMetafile(metafile) ? 'unsafe' : 'safe';
    return startsMarkup(head, readAll) ? 'unsafe' : 'safe';
  } catch {
    return 'unsafe';
  }
}

/** Whether an XML parser would accept the part in any encoding that it detects (XML 1.0, appendix F). */
function startsMarkup(head: Buffer, readAll: () => Buffer): boolean {
  if (head.subarray(0, 4).equals(ebcdicMarkup)) return true;
  const blank = /^(?:\xef\xbb\xbf|\0*\xff\xfe|\0*\xfe\xff)?[\0\t\n\r ]*/;
  const isAllBlank = head.length === headBytes && blank.exec(head.toString('latin1'))?.[0].length === headBytes;
  const text = (isAllBlank ? readAll() : head).toString('latin1');
  return text.replace(blank, '').startsWith('<');
}
