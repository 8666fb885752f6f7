import { openPackage } from '../../src/worker/docx/package/open-package.ts';
import { overlayPackage } from '../../src/worker/docx/package/overlay-package.ts';
import { writePackage } from '../../src/worker/docx/package/write-package.ts';
import { dropCommentMarks } from '../../src/worker/docx/sanitize/drop-comment-marks.ts';
import { repairPackage } from '../../src/worker/docx/sanitize/repair/repair-package.ts';
import { sanitizePackage } from '../../src/worker/docx/sanitize/sanitize-package.ts';

/** What the service gives to LibreOffice for a file without tags: cleaned and repaired. Throws what an upload would answer. */
export function prepareDocument(bytes: Uint8Array): Buffer {
  const original = openPackage(bytes);
  const { changes } = sanitizePackage(original);
  const repairs = repairPackage(overlayPackage(original, changes)).changes;
  const clean = new Map([...changes, ...repairs]);
  return writePackage(original, new Map([...clean, ...dropCommentMarks(overlayPackage(original, clean))]));
}
