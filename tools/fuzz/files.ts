import { readFileSync } from 'node:fs';
import { buildDocx, paragraph } from '../../test/support/documents/docx-builder.ts';

/** The files for forms, by name. */
export interface Files {
  readonly [name: string]: Uint8Array | undefined;
  readonly template: Uint8Array;
  readonly text: Uint8Array;
}

export function makeFiles(): Files {
  return {
    template: buildDocx({ body: paragraph('Dear {name}') + paragraph('{#items}{name}{/items}') }),
    picture: readFileSync('docs/reference/pictures/language/columns-result.png'),
    text: Buffer.from('this file does not have the expected type'),
    empty: new Uint8Array(),
  };
}
