import { assembleFeatures, type Feature } from './core/feature.ts';
import { barcodes } from './features/barcodes/barcodes.ts';
import { bookmarks } from './features/bookmarks/bookmarks.ts';
import { charts } from './features/charts/charts.ts';
import { columns } from './features/columns/columns.ts';
import { controls, controlTitles } from './features/controls/controls.ts';
import { dictionary } from './features/dictionary/dictionary.ts';
import { documents } from './features/documents/documents.ts';
import { formatting } from './features/formatting/formatting.ts';
import { frames } from './features/frames/frames.ts';
import { grids } from './features/grids/grids.ts';
import { html } from './features/html/html.ts';
import { images } from './features/images/images.ts';
import { include } from './features/include/include.ts';
import { links } from './features/links/links.ts';
import { lists } from './features/lists/lists.ts';
import { notes } from './features/notes/notes.ts';
import { sections } from './features/sections/sections.ts';
import { tables } from './features/tables/tables.ts';
import { wordFields } from './features/word-fields/word-fields.ts';

/** The features of templates, in the order in which each step of the engine runs them. */
export const featureList: readonly Feature[] = [
  controlTitles,
  wordFields,
  dictionary,
  documents,
  sections,
  frames,
  grids,
  formatting,
  tables,
  columns,
  images,
  barcodes,
  html,
  lists,
  controls,
  charts,
  links,
  bookmarks,
  notes,
  include,
];

export const allFeatures = assembleFeatures(featureList);
