import Docxtemplater from 'docxtemplater';
import PizZip from 'pizzip';

/** The minimal template language: names, dotted names and sections, without the rest of the service. */
export function renderPlainly(template: Buffer, data: unknown): Buffer {
  const document = new Docxtemplater(new PizZip(template), {
    paragraphLoop: true,
    linebreaks: true,
    errorLogging: false,
    parser: (tag) => ({
      get: (scope: unknown) =>
        tag.split('.').reduce<unknown>((value, key) => {
          return typeof value === 'object' && value !== null
            ? Object.getOwnPropertyDescriptor(value, key)?.value
            : undefined;
        }, scope),
    }),
  });
  document.render(data);
  return document.getZip().generate({ type: 'nodebuffer' });
}
