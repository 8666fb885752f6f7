import { mkdirSync, writeFileSync } from 'node:fs';
import { gallery } from './gallery.ts';

/**
 * `npm run gallery` writes the templates of the gallery, and its list. The data beside each template is written by
 * hand. `npm run pictures gallery` then draws their first pages.
 */
const folder = new URL('../../examples/gallery/', import.meta.url);

for (const [path, bytes] of gallery()) {
  const file = new URL(path, folder);
  mkdirSync(new URL('.', file), { recursive: true });
  writeFileSync(file, bytes);
}
