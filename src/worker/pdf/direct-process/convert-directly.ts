import type { DirectConverter } from '@docmill/layout';
import type { DocxPackage } from '../../docx/package/open-package.ts';
import { compressPictures } from '../compress/compress-pictures.ts';
import { pagesInRange } from '../office/pages-in-range.ts';
import { type PdfFile, readPdfFile, writePdfFile } from '../pdf-file.ts';
import { watermarkText } from '../watermark/watermark-text.ts';
import type { DirectPdfOptions } from './messages.ts';

/** Converts a document, with the options of a request that LibreOffice's export also has. Throws UnknownFeature. */
export function convertDirectly(
  converter: DirectConverter,
  source: DocxPackage,
  { pages: range, watermark, imageQuality, standards }: DirectPdfOptions,
): { readonly pdf: Uint8Array; readonly pages: number } {
  const choosePages = range === undefined ? undefined : (count: number) => pagesInRange(range, count);
  const { pdf, pages } = converter.convert(source, { choosePages, standards });
  if (watermark === undefined && imageQuality === undefined) return { pdf, pages };
  let file: PdfFile = requiredFile(pdf);
  if (imageQuality !== undefined) file = compressPictures(file, imageQuality);
  if (watermark !== undefined) file = watermarkText(file, pages, (sizes) => converter.drawWatermark(watermark, sizes));
  return { pdf: writePdfFile(file), pages };
}

function requiredFile(pdf: Uint8Array): PdfFile {
  const file = readPdfFile(pdf);
  if (file === undefined) throw new Error('a file of direct layout has an unknown form');
  return file;
}
