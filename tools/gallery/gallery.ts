import { kinds } from './kinds.ts';
import { type Kind, languages } from './texts.ts';
import { documentParts, packDocument } from './word.ts';

export interface GalleryEntry {
  readonly kind: string;
  readonly language: string;
  readonly title: string;
  readonly about: string;
}

const combinations = (Object.keys(kinds) as Kind[]).flatMap((kind) =>
  Object.entries(languages).map(([language, texts]) => ({ kind, language, texts, ...texts.gallery[kind] })),
);

/** The parts of the templates, by their paths in `examples/gallery`. */
export function galleryParts(): ReadonlyMap<string, ReadonlyMap<string, string>> {
  return new Map(
    combinations.map(({ kind, language, texts, title, about }) => {
      const properties = { title, subject: about, locale: texts.locale, creator: 'Docmill' };
      return [`${kind}/${language}/template.docx`, documentParts(kinds[kind](texts), properties)];
    }),
  );
}

/** The files that `npm run gallery` writes, by their paths in `examples/gallery`. */
export function gallery(): ReadonlyMap<string, Uint8Array> {
  const entries = combinations.map(
    ({ kind, language, title, about }): GalleryEntry => ({ kind, language, title, about }),
  );
  return new Map<string, Uint8Array>([
    ...[...galleryParts()].map(([path, parts]): [string, Uint8Array] => [path, packDocument(parts)]),
    ['gallery.json', Buffer.from(`${JSON.stringify(entries, undefined, 2)}\n`)],
  ]);
}
