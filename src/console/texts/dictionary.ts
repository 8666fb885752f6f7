import { formatCount, formatNumber } from '../ui/format.ts';

export const dictionaryTexts = {
  title: 'Dictionary',
  about: 'Words that templates print in the language of a document.',
  counts: (words: number, locales: number) =>
    `${formatCount(words, 'word', 'words')} in ${formatCount(locales, 'language', 'languages')}`,
  emptyTitle: 'No words yet',
  emptyText:
    'One template can serve every language. Write {"total" | translate} in it, and give the word for each language here.',
  create: 'Add words',
  edit: 'Edit',
  download: 'Download',
  remove: 'Delete',
  removeTitle: 'Delete all words?',
  removeText:
    'New documents print the key in place of the word, with a warning. Documents that were accepted earlier still print the words.',
  removeAction: 'Delete all words',
  removed: 'All words were deleted',
  saved: 'The words were saved. New documents print them.',
  editLead: 'For each language, the word of each key. A template that has its own table of words prints those first.',
  editorLabel: 'Words as JSON',
  fromFile: 'Take the words from a JSON file',
  fileTooLarge: 'The file is larger than 1 MB, the limit of a dictionary.',
  save: 'Save',
  search: 'Search in keys and words',
  key: 'Key',
  missing: 'Missing',
  nothingFound: 'No key and no word contains this text.',
  shown: (shown: number, all: number) => `${formatNumber(shown)} of ${formatNumber(all)} keys`,
};
