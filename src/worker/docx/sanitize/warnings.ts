import type { Warning } from '../core/warning.ts';

const messages = {
  linked_picture: 'A picture that is linked, not embedded, was omitted. Embed it in the document.',
  hyperlink: 'A hyperlink that is not http, https or mailto was turned into plain text.',
  attached_template: 'The link to a Word template was removed. It has no effect on the result.',
  embedded_object: 'An embedded or linked object was removed; its preview picture stays.',
  imported_content: 'Content imported from another file was omitted. Paste it into the document.',
  mail_merge: 'The data source of a mail merge was removed.',
  active_content: 'Macros, controls or add-ins were removed.',
  embedded_font: 'An embedded font is not used. Install it on the server, or choose an installed one.',
  media: 'An audio or video clip was removed.',
  outside_field: 'A field that reads from outside the document was switched off; its last result stays.',
  unsafe_picture:
    'A picture that can refer to other files, or that takes too long to draw, was omitted. Use PNG, JPEG or a plain SVG.',
  external_reference: 'A reference to something outside the document was removed.',
  broken_reference:
    'A reference leads to a part that is missing or of another kind; PDFs leave it out. Open the file in Word and save it again.',
  data_binding:
    'The path that binds a content control to data cannot be evaluated; PDFs show the control as it is. Bind it again in Word.',
  unbalanced_field:
    'A field has no beginning or no end, or an index is inside another index or a note. PDFs show its text without the field. Insert it again in Word.',
  style_cycle:
    'Styles are based on each other in a circle or in a long chain; PDFs separate them. Correct them in Word.',
} as const;

export type WarningCode = keyof typeof messages;

/** Collects one warning for each code and part. */
export class Warnings {
  readonly #found = new Map<string, Warning>();

  add(code: WarningCode, part: string): void {
    this.#found.set(`${code} ${part}`, { code, message: messages[code], part });
  }

  list(): Warning[] {
    return [...this.#found.values()];
  }
}
