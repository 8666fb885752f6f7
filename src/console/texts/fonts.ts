import { formatCount } from '../ui/format.ts';

export const fontTexts = {
  title: 'Fonts',
  about: 'The fonts that PDFs are printed with: those of this account, and those installed on the service.',
  drop: 'Drop the font anywhere on this page',
  choose: 'Choose a font, or drop it here',
  limits:
    'A TrueType or OpenType file (.ttf, .otf) of at most 10 MB, one for each style. Check that its licence allows use on a server.',
  tooLarge: 'The file is larger than 10 MB, the limit of a font.',
  wrongEnding: 'This is not a .ttf or .otf file. Collections (.ttc) and web fonts (.woff) are not accepted.',
  working: 'Uploading and checking…',
  stored: (name: string) => `${name} is stored. New documents that name it are printed with it.`,
  own: 'Fonts of this account',
  noneText: 'If Word uses a font that is missing here, upload its files. Lines then break where they do in Word.',
  readOnly: 'This key may not upload fonts. A key with the scope templates:write may.',
  howTo: 'How a font is found',
  styles: { regular: 'Regular', bold: 'Bold', italic: 'Italic', boldItalic: 'Bold italic' },
  sample: 'The quick brown fox jumps over 13 lazy dogs',
  sampleOf: (family: string) => `Text in ${family}, as PDFs print it`,
  noSample: 'A key with the scope generate shows a sample.',
  remove: (family: string, style: string) => `Delete ${family}, ${style}`,
  removeTitle: (family: string, style: string) => `Delete ${family}, ${style}?`,
  removeText:
    'New documents that name the font are printed with a similar one, and lines may break elsewhere. Documents that were accepted earlier still use it. This cannot be undone.',
  removeAction: 'Delete for good',
  removed: (family: string, style: string) => `${family}, ${style} was deleted.`,
  missing: 'Missing fonts',
  missingOf: (templates: number) =>
    `Of the ${templates === 1 ? 'newest template' : `newest ${templates} templates`}: fonts that are neither installed nor uploaded. Lines may break elsewhere than in Word.`,
  noneMissing: (templates: number) =>
    templates === 1 ? 'The newest template misses no font.' : `The newest ${templates} templates miss no font.`,
  noTemplates: 'There are no templates yet.',
  printedWith: (font: string) => `printed with ${font}`,
  namedIn: 'Named in',
  installed: 'Installed fonts',
  installedCount: (families: number) => formatCount(families, 'family', 'families'),
  search: 'Search by name',
  nothingFound: 'No installed font has this in its name.',
  notEverywhere: 'not on every worker',
  nothingInstalled: 'No worker that converts to PDF is running, so the installed fonts are unknown.',
};
