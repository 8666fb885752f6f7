import type { DrawnWatermark, PageSize } from '@docmill/layout';
import { drawOnPages, mediaBoxOf, unusedNumber } from '../draw-on-pages.ts';
import { dictionaryOf, type PdfFile, type PdfObject, readPdfFile } from '../pdf-file.ts';
import { watermarkArtifact } from './watermark-pdf.ts';

/** Draws a text above the content of every page of a directly laid out PDF, like LibreOffice's watermark. */
export function watermarkText(
  file: PdfFile,
  pages: number,
  draw: (sizes: readonly PageSize[]) => DrawnWatermark,
): PdfFile {
  const boxes = [...new Set(file.objects.flatMap((object) => mediaBoxOf(object)?.join() ?? []))];
  const drawn = draw(boxes.map(toSize));
  const shift = unusedNumber(file);
  const objects = readPdfFile(drawn.pdf)?.objects.map((object) => renumber(object, shift)) ?? [];
  const names = boxes.map((box, index) => [box, `W${index + 1}`] as const);
  const nameOf = new Map(names);
  const xObjects = new Map(names.map(([, name], index) => [name, (drawn.forms[index] ?? 0) + shift]));
  return drawOnPages(file, pages, {
    layersOf: (box) => ({
      below: 'q',
      above: `Q ${watermarkArtifact} q /${nameOf.get(String(box))} Do Q EMC`,
    }),
    objects,
    xObjects,
  });
}

function toSize(box: string): PageSize {
  const [left = 0, bottom = 0, right = 0, top = 0] = box.split(',').map(Number);
  return { width: right - left, height: top - bottom };
}

/** Renumbers an object of another file with object numbers that are unused in this one. */
function renumber(object: PdfObject, shift: number): PdfObject {
  const dictionary = dictionaryOf(object);
  const changed = dictionary.replaceAll(
    /\b(\d+) 0 (R|obj)\b/g,
    (_, number, kind) => `${Number(number) + shift} 0 ${kind}`,
  );
  const rest = object.bytes.subarray(dictionary.length);
  return { number: object.number + shift, bytes: Buffer.concat([Buffer.from(changed, 'latin1'), rest]) };
}
