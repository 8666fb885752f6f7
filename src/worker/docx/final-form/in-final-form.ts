import type { DocxOptions } from '../../../shared/output-options.ts';
import type { DocxPackage } from '../package/open-package.ts';
import { overlayPackage } from '../package/overlay-package.ts';
import { acceptChanges } from './accept-changes.ts';
import { changeControls } from './content-controls.ts';
import { protect } from './protect.ts';
import { removeComments } from './remove-comments.ts';

type Changes = ReadonlyMap<string, Uint8Array | null>;

/** The changes to a filled document that its options require, by part; null removes a part. */
export function inFinalForm(docx: DocxPackage, options: DocxOptions): Changes {
  const { comments, contentControls = 'keep', protection, trackedChanges } = options;
  const steps = [
    comments === 'remove' && removeComments,
    trackedChanges === 'accept' && acceptChanges,
    contentControls !== 'keep' && ((source: DocxPackage) => changeControls(source, contentControls)),
    protection !== undefined && ((source: DocxPackage) => protect(source, protection)),
  ];
  let changes: Changes = new Map();
  for (const step of steps) if (step !== false) changes = new Map([...changes, ...step(overlayPackage(docx, changes))]);
  return changes;
}
