/** A kind of barcode: its name, the generator's name for it, and a sample that it can encode. */
export interface BarcodeKind {
  readonly name: string;
  readonly encoder: string;
  readonly example: string;
  /** Quiet zone on each side, in modules. */
  readonly quietModules: number;
  readonly isMatrix?: boolean;
}

type Row = readonly [encoder: string, example: string, quietModules: number, isMatrix?: boolean];

const rows: Readonly<Record<string, Row>> = {
  ean13: ['ean13', '4006381333931', 11],
  ean8: ['ean8', '96385074', 7],
  upca: ['upca', '036000291452', 9],
  upce: ['upce', '01234565', 9],
  isbn: ['isbn', '978-3-16-148410-0', 11],
  code128: ['code128', 'ABC-1234', 10],
  gs1128: ['gs1-128', '(01)09521234543213', 10],
  code39: ['code39', 'ABC-1234', 10],
  code93: ['code93', 'ABC-1234', 10],
  itf: ['interleaved2of5', '12345678', 10],
  itf14: ['itf14', '04601234567893', 10],
  codabar: ['rationalizedCodabar', 'A1234B', 10],
  datamatrix: ['datamatrix', 'ABC-1234', 2, true],
  gs1datamatrix: ['gs1datamatrix', '(01)09521234543213', 2, true],
  pdf417: ['pdf417', 'ABC-1234', 2, true],
  aztec: ['azteccode', 'ABC-1234', 2, true],
};

/** Supported barcodes by the name that tags use. */
export const barcodeKinds: Readonly<Record<string, BarcodeKind>> = Object.fromEntries(
  Object.entries(rows).map(([name, [encoder, example, quietModules, isMatrix = false]]) => [
    name,
    { name, encoder, example, quietModules, isMatrix },
  ]),
);

/** Finds a kind by name, ignoring case and separators: `EAN-13` is `ean13`. */
export function findBarcodeKind(name: string): BarcodeKind | undefined {
  const key = name.toLowerCase().replace(/[-_\s]/g, '');
  return Object.hasOwn(barcodeKinds, key) ? barcodeKinds[key] : undefined;
}
