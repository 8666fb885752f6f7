import { readFileSync } from 'node:fs';
import type { DocumentService } from './db/schema/documents.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

/**
 * The running release. Includes the version of Node.js, which compresses the parts of a .docx and formats numbers and
 * dates.
 */
export const thisRelease: DocumentService = { version, node: process.versions.node };
