import { type OutputFormat, queueOf } from '../../documents/document-record.ts';

/** A queue that the dispatcher fills: one per format, and one per engine to which templates are pinned. */
export type BatchQueue = OutputFormat | `pdf@${string}`;

/** The engine of a queue; null if any worker serves it. */
export const engineOf = (queue: BatchQueue): string | null => queue.split('@')[1] ?? null;

export const formatOf = (queue: BatchQueue): OutputFormat => (queue === 'docx' || queue === 'xml' ? queue : 'pdf');

/** The queue of jobs that the rows of a queue become. */
export const jobQueueOf = (queue: BatchQueue): 'docx-batch' | 'pdf-batch' => `${queueOf(formatOf(queue))}-batch`;
