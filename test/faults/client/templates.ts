import PizZip from 'pizzip';
import { buildDocx, paragraph, table } from '../../support/documents/docx-builder.ts';

/** The template of most rows: prints the account's canary and an order number. */
export const letter = buildDocx({ body: paragraph('{canary}') + paragraph('Order {order}') });

/** A row for each item; many items take time to fill and to lay out. */
export const list = buildDocx({
  body: paragraph('{canary} {order}') + table([['{#items}{name}', '{value}{/items}']]),
});

/** `depth` sections inside one another, each repeated once for each item of `a`. */
export function nestedSections(depth: number): Buffer {
  return buildDocx({
    body: paragraph('{canary} {order}') + paragraph(`${'{#a}'.repeat(depth)}x${'{/a}'.repeat(depth)}`),
  });
}

export function items(count: number): readonly { readonly name: string; readonly value: string }[] {
  return Array.from({ length: count }, (_, index) => ({ name: `Item ${index}`, value: `${index * 3}.00` }));
}

/** All text of the main part, or undefined when the bytes are not a .docx. */
export function textOfDocx(bytes: Buffer): string | undefined {
  try {
    const xml = new PizZip(bytes).file('word/document.xml')?.asText();
    return xml?.replaceAll(/<[^>]+>/g, ' ');
  } catch {
    return undefined;
  }
}
