import { writeFileSync } from 'node:fs';
import { writeNotices } from './write-notices.ts';

/**
 * Writes the licences of the packages that ship with the service to `dist/THIRD_PARTY_NOTICES.md`, as part of `npm run
 * build`.
 */
writeFileSync('dist/THIRD_PARTY_NOTICES.md', writeNotices('.'));
