import type { Feature } from '../../core/feature.ts';
import type { PictureDrawing, PictureKind } from '../../core/pictures/picture.ts';
import { nearestName } from '../../language/edit-distance.ts';
import { normalizeExpression } from '../../language/expressions/normalize-expression.ts';
import { barcodeKinds, findBarcodeKind } from './barcode-kinds.ts';
import { drawBarcode, drawQr } from './draw-barcode.ts';

const qr: PictureKind = {
  keyword: 'qr',
  read: (formula) => ({ formula, sample: 'https://example.com/', key: 'qr', draw: drawQr }),
};

const barcode: PictureKind = { keyword: 'barcode', read: readBarcode };

/** `{%qr text}` and `{%barcode text "ean13"}`. */
export const barcodes: Feature = { name: 'barcodes', pictures: [qr, barcode] };

const formulaAndKind = /^(.+?)\s+(?:"([^"]*)"|'([^']*)')$/s;

function readBarcode(text: string): PictureDrawing | { readonly problem: string; readonly hint: string } {
  const found = formulaAndKind.exec(normalizeExpression(text));
  if (found === null) return { problem: 'the kind of barcode is missing', hint: 'write {%barcode code "ean13"}' };
  const [, formula = '', double, single = ''] = found;
  const name = double ?? single;
  const kind = findBarcodeKind(name);
  if (kind === undefined) return unknownKind(name);
  return { formula, sample: kind.example, key: kind.name, draw: (value) => drawBarcode(value, kind) };
}

function unknownKind(name: string): { readonly problem: string; readonly hint: string } {
  const names = Object.keys(barcodeKinds);
  const nearest = nearestName(name, names);
  const hint = nearest === undefined ? `write one of ${names.join(', ')}` : `write "${nearest}"`;
  return { problem: `there is no barcode "${name}"`, hint };
}
