import { z } from 'zod';
import { isObject } from '../json.ts';
import type { PdfOptions, RequestedRenderOptions } from '../output-options.ts';
import { syntaxSchema } from './syntax-schema.ts';

/** The pages of a preview to return, and their format. `page` counts from 1. */
const excerpt = z.discriminatedUnion('format', [
  z.object({ format: z.literal('pdf'), pages: z.number().int() }),
  z.object({ format: z.literal('png'), page: z.number().int(), dpi: z.number().int() }),
]);

/** The API has validated the options of a request. */
const options = <T>() => z.custom<T>(isObject).nullable();

/** Everything needed to produce a preview. Stored in Redis beside the data and the file, and expires with them. */
export const previewTask = z.object({
  template: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('stored'),
      templateId: z.string(),
      templateVersion: z.number().int(),
      objectKey: z.string(),
      checksum: z.string(),
      syntax: syntaxSchema.optional(),
      /** The templates that it includes. */
      includes: z
        .array(
          z.object({
            reference: z.string(),
            templateId: z.string(),
            version: z.number().int(),
            objectKey: z.string(),
            checksum: z.string(),
          }),
        )
        .optional(),
    }),
    z.object({ kind: z.literal('file'), syntax: syntaxSchema.optional() }),
  ]),
  /** SHA-256 of the data, hex. */
  dataChecksum: z.string(),
  filename: z.string(),
  pdfOptions: options<PdfOptions>(),
  renderOptions: options<RequestedRenderOptions>(),
  /** ISO 8601, UTC. */
  documentDate: z.string(),
  excerpt,
  /** A thumbnail has no watermark: it is small, and its data is the template's example. */
  isThumbnail: z.boolean().optional(),
  /** Unix time in milliseconds. */
  requestedAtMs: z.number(),
});

export type PreviewTask = z.infer<typeof previewTask>;
export type Excerpt = PreviewTask['excerpt'];

/** A worker's reply about a preview. The bytes are in Redis unless the reply contains them. */
export const previewReply = z.object({
  /** The number of pages of the whole document. */
  pages: z.number().int(),
  warningCount: z.number().int(),
  /** Distinct and sorted. */
  warningCodes: z.array(z.string()),
  timings: z.object({ queueMs: z.number(), renderMs: z.number(), convertMs: z.number(), totalMs: z.number() }),
  sizeBytes: z.number().int(),
});

export type PreviewReply = z.infer<typeof previewReply>;

/** How long a preview's keys may stay in Redis if the process that removes them crashes, in seconds. */
export const previewTtlSeconds = (waitLimitMs: number): number => Math.ceil(waitLimitMs / 1_000) + 30;

/**
 * Counts the LibreOffice processes that the account's previews recently crashed or hung. Contains no template and no
 * data.
 */
export const previewLossesKey = (prefix: string, accountId: string): string => `${prefix}:preview-losses:${accountId}`;
