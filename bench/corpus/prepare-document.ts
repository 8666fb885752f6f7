import { openPackage } from '../../src/worker/docx/package/open-package.ts';
import { overlayPackage } from '../../src/worker/docx/package/overlay-package.ts';
import { writePackage } from '../../src/worker/docx/package/write-package.ts';
import { dropCommentMarks } from '../../src/worker/docx/sanitize/drop-comment-marks.ts';
import { repairPackage } from '../../src/worker/docx/sanitize/repair/repair-package.ts';
import { sanitizePackage } from '../../src/worker/docx/sanitize/sanitize-package.ts';

/**
 * Prepares a file without tags as the service does before it calls LibreOffice: cleaned and repaired. Throws the errors
 * of an upload.
 */
export function prepareDocument(bytes: Uint8Array): Buffer {
  const original = openPackage(bytes);
  const { changes } = sanitizePackage(original);
  const repairs = repairPackage(overlayPackage(original, changes)).changes;
  const clean = new Map([...changes, ...repairs]);
  return writePackage(original, new Map([...clean, ...dropCommentMarks(overlayPackage(original, clean))]));
}
