export interface PlainPdf {
  /** One line of text for each page. */
  readonly pages: readonly string[];
  /** A square picture on every page, as raw grey bytes. */
  readonly picture?: Buffer;
  /** Operators that follow the text on every page. */
  readonly drawing?: string;
  /** Entries of every page, such as `/Rotate 90`. */
  readonly entries?: string;
}

/** Operators that print tiny characters in rows. */
export function manyCharacters(count: number): string {
  const perRow = 500;
  const rows = Array.from({ length: Math.ceil(count / perRow) }, (_, row) => {
    const y = (row * 195) / Math.ceil(count / perRow);
    return `BT /F1 1 Tf 5 ${y.toFixed(3)} Td (${'x'.repeat(perRow)}) Tj ET`;
  });
  return rows.join('\n');
}

/** A PDF with one page for each line; pages inherit size and resources from the page tree and link to the last page. */
export function plainPdf({ pages, picture, drawing = '', entries = '' }: PlainPdf): Buffer {
  const side = Math.sqrt(picture?.length ?? 1);
  const first = 6;
  const last = first + 2 * (pages.length - 1);
  const objects = [
    '<</Type /Catalog /Pages 2 0 R>>',
    `<</Type /Pages /Count ${pages.length} /Kids [3 0 R] /MediaBox [0 0 300 200] /Resources <</Font <</F1 4 0 R>> /XObject <</I1 5 0 R>>>>>>`,
    `<</Type /Pages /Parent 2 0 R /Count ${pages.length} /Kids [${pages.map((_, index) => `${first + 2 * index} 0 R`).join(' ')}]>>`,
    '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>',
    stream(
      `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /BitsPerComponent 8 /ColorSpace /DeviceGray`,
      picture ?? Buffer.alloc(1),
    ),
    ...pages.flatMap((text, index) => [
      `<</Type /Page /Parent 3 0 R ${entries} /Contents ${first + 2 * index + 1} 0 R
        /Annots [<</Type /Annot /Subtype /Link /Rect [0 0 50 50] /Dest [${last} 0 R /Fit]>>]>>`,
      stream('', Buffer.from(`BT /F1 24 Tf 20 100 Td (${text}) Tj ET q 40 0 0 40 240 20 cm /I1 Do Q ${drawing}`)),
    ]),
  ];
  return file(objects);
}

function stream(entries: string, data: Buffer): string {
  return `<<${entries} /Length ${data.length}>>\nstream\n${data.toString('latin1')}\nendstream`;
}

function file(objects: readonly string[]): Buffer {
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const start = text.length;
  const size = objects.length + 1;
  text += `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}trailer\n<</Size ${size} /Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
