import Docxtemplater from 'docxtemplater';
import PizZip from 'pizzip';

/** Runs docxtemplater's steps with pizzip for each document: open, parse, fill, write. */
export function renderPlain(template: Buffer, data: unknown): Buffer {
  const options = {
    paragraphLoop: true,
    linebreaks: true,
    errorLogging: false,
    nullGetter: () => '',
    parser: dottedPath,
  };
  return new Docxtemplater(new PizZip(template), options).render(data).toBuffer();
}

/** The shortest parser that supports dotted paths. */
function dottedPath(tag: string): { get: (scope: unknown) => unknown } {
  const keys = tag.split('.');
  const step = (value: unknown, key: string) => (value as Record<string, unknown> | undefined)?.[key];
  return { get: (scope) => (tag === '.' ? scope : keys.reduce(step, scope)) };
}
