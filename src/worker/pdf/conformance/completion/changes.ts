import { dictionaryOf, type PdfFile, type PdfObject, streamOf, withStream } from '../../pdf-file.ts';
import { withEntry, withItems } from './edit-dictionary.ts';

/**
 * Changes to the objects of a PDF, collected and then applied together. Objects are identified by their numbers; values
 * are in PDF syntax.
 */
export interface Changes {
  setEntry(object: number, key: string, value: string): void;
  addItem(object: number, key: string, item: string): void;
  /** Adds a dictionary as an indirect object and returns its number. */
  addObject(dictionary: string): number;
  /** Replaces text in an uncompressed stream. */
  replaceText(object: number, from: string, to: string): void;
  /** Returns the PDF itself if nothing changed. */
  apply(): PdfFile;
}

interface Edit {
  readonly entries: Map<string, string>;
  readonly items: Map<string, string[]>;
}

export function collectChanges(file: PdfFile): Changes {
  const edits = new Map<number, Edit>();
  const added: PdfObject[] = [];
  const replaced = new Map<number, PdfObject>();
  let next = file.objects.reduce((most, { number }) => Math.max(most, number), 0) + 1;
  const editOf = (object: number): Edit => {
    const edit = edits.get(object) ?? { entries: new Map(), items: new Map() };
    edits.set(object, edit);
    return edit;
  };
  return {
    setEntry: (object, key, value) => void editOf(object).entries.set(key, value),
    addItem(object, key, item) {
      const { items } = editOf(object);
      items.set(key, [...(items.get(key) ?? []), item]);
    },
    addObject(dictionary) {
      added.push({ number: next, bytes: Buffer.from(`${next} 0 obj\n${dictionary}\nendobj\n\n`, 'latin1') });
      return next++;
    },
    replaceText(object, from, to) {
      const objects = new Map(file.objects.map((each) => [each.number, each]));
      const found = objects.get(object);
      const stream = found === undefined ? undefined : streamOf(found, objects);
      if (found === undefined || stream === undefined) return;
      // A replacement function, because `to` may contain `$`.
      const text = stream.toString('latin1').replace(from, () => to);
      for (const changed of withStream(found, Buffer.from(text, 'latin1'), objects))
        replaced.set(changed.number, changed);
    },
    apply() {
      if (edits.size === 0 && added.length === 0 && replaced.size === 0) return file;
      const objects = [...file.objects, ...added].map((object) => {
        const current = replaced.get(object.number) ?? object;
        const edit = edits.get(object.number);
        return edit === undefined ? current : edited(current, edit);
      });
      return { ...file, objects, trailer: file.trailer.replace(/\/Size \d+/, `/Size ${next}`) };
    },
  };
}

function edited(object: PdfObject, { entries, items }: Edit): PdfObject {
  const dictionary = dictionaryOf(object);
  let text = dictionary;
  for (const [key, value] of entries) text = withEntry(text, key, value);
  for (const [key, values] of items) text = withItems(text, key, values);
  return {
    number: object.number,
    bytes: Buffer.concat([Buffer.from(text, 'latin1'), object.bytes.subarray(dictionary.length)]),
  };
}
