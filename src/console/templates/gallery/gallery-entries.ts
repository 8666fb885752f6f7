import entries from '../../../../examples/gallery/gallery.json';

export const languages = [
  ['en', 'English'],
  ['de', 'Deutsch'],
  ['fr', 'Français'],
] as const;

export type Language = (typeof languages)[number][0];

/** A ready template: the files that belong to it are served with the console. */
export interface GalleryEntry {
  readonly kind: string;
  /** The language of the template, its title and its description. */
  readonly language: string;
  readonly title: string;
  readonly about: string;
}

export const galleryEntries: readonly GalleryEntry[] = entries;

const addresses = import.meta.glob<string>('../../../../examples/gallery/*/*/*', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** The address of a file of a template; undefined if it has no such file, such as an invoice mapping. */
export function galleryAddress({ kind, language }: GalleryEntry, file: string): string | undefined {
  const address = addresses[`../../../../examples/gallery/${kind}/${language}/${file}`];
  return address === undefined ? undefined : new URL(address, import.meta.url).href;
}

/** The language of the browser if the gallery has it. */
export function preferredLanguage(): Language {
  const preferred = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
  const known = preferred.flatMap((tag) => languages.filter(([language]) => language === tag));
  return known[0]?.[0] ?? 'en';
}
