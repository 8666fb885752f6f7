import { defaultPage } from './column.ts';
import { ColumnReader } from './column-reader.ts';
import type { Size } from './fit-picture.ts';

/** The room on the pages of the main part's last section, which headers, footers and notes share. */
export function pageRoom(xml: string): Size {
  const start = xml.lastIndexOf('<w:sectPr');
  if (start === -1) return defaultPage;
  const reader = new ColumnReader();
  reader.read(xml.slice(start));
  return reader.page;
}
