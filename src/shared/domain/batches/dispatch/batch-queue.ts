import type { OutputFormat } from '../../documents/document-record.ts';

/** A queue that the dispatcher fills: one for each format, and one for each engine to which templates are pinned. */
export type BatchQueue = OutputFormat | `pdf@${string}`;

/** The engine of a queue; null for one that any worker serves. */
export const engineOf = (queue: BatchQueue): string | null => queue.split('@')[1] ?? null;

export const formatOf = (queue: BatchQueue): OutputFormat => (queue === 'docx' ? 'docx' : 'pdf');
