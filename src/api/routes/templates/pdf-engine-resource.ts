import { z } from '@hono/zod-openapi';
import type { LayoutState } from '../../../shared/domain/templates/layout-proofs.ts';
import { pdfEngines } from '../../../shared/pdf-engine.ts';

const difference = z
  .object({
    page: z.number().int().openapi({ description: 'The page, counted from 1.' }),
    measure: z.enum(['pages', 'outline', 'page size', 'text', 'drawing']).openapi({ description: 'What differs.' }),
    message: z
      .string()
      .openapi({ description: 'By how much.', example: '3 characters elsewhere, the first by 1.20 pt' }),
    x: z.number().optional().openapi({ description: 'Where it begins: points from the left edge of the page.' }),
    y: z.number().optional().openapi({ description: 'Points from the upper edge.' }),
  })
  .openapi('PageDifference');

/** Fields of a template that describe the layout of its PDFs. */
export const pdfEngineFields = {
  pdfEngine: z.enum(pdfEngines).openapi({
    description:
      'What lays out the pages of its PDFs: `office` is LibreOffice; `direct` is Docmill itself, because the pages of this version have been proven to be the same. `pdfEngine` of a job says what laid out one PDF.',
  }),
  pdfEngineReasons: z.array(z.string()).openapi({
    description:
      'Why it is `office`: up to 20 features of the template that direct layout does not support, the page that differed, or a note that the pages are still being compared. Empty if it is `direct`, or if nothing has requested the comparison.',
    example: ['Not laid out directly: w:smallCaps.', 'Not laid out directly: a form field.'],
  }),
  proving: z.boolean().openapi({
    description: 'Whether the pages of both engines are yet to be compared. LibreOffice is used until then.',
  }),
  pdfEngineEvidence: z
    .object({
      jobId: z.string().openapi({ description: 'The job whose document differed.' }),
      differences: z.array(difference).openapi({ description: 'Where its pages differ; nothing of their text.' }),
    })
    .optional()
    .openapi('PdfEngineEvidence', {
      description: 'The document with which a check in operation found a difference, after which it became `office`.',
    }),
};

const waitingReasons = {
  claimed: 'Its pages are being compared.',
  waiting: 'The comparison of its pages waits for an idle worker that lays out pages directly.',
} as const;

/** `layout` is undefined while nothing is known about the version, and when direct layout is turned off. */
export function toPdfEngine(layout: LayoutState | undefined) {
  const { state = 'office', isClaimed = false, reasons = [], documentId = null, differences } = layout ?? {};
  return {
    pdfEngine: state === 'direct' ? ('direct' as const) : ('office' as const),
    pdfEngineReasons: state === 'waiting' ? [waitingReasons[isClaimed ? 'claimed' : 'waiting']] : [...reasons],
    proving: state === 'waiting',
    ...(documentId !== null && {
      pdfEngineEvidence: { jobId: documentId, differences: (differences ?? []).map(toDifference) },
    }),
  };
}

function toDifference({ measure, page, message, x, y }: NonNullable<LayoutState['differences']>[number]) {
  return { page, measure, message, ...(x !== undefined && { x }), ...(y !== undefined && { y }) };
}
