import { z } from 'zod';
import type { DataSchema } from '../data-schema.ts';
import { isObject, type JsonObject } from '../json.ts';

/** A worker's reply about a finished document: enough to answer the request without reading the row. */
export const documentReply = z.object({
  id: z.string(),
  format: z.enum(['docx', 'pdf', 'xml']),
  filename: z.string(),
  deliveryId: z.string().nullable(),
  warningCount: z.number().int(),
  templateVersion: z.number().int().optional(),
  pages: z.number().int().nullable().optional(),
  timings: z.object({ queueMs: z.number(), renderMs: z.number(), convertMs: z.number(), totalMs: z.number() }),
  result: z.object({
    store: z.enum(['redis', 'object']),
    key: z.string(),
    sizeBytes: z.number(),
    checksum: z.string(),
  }),
});

export type DocumentReply = z.infer<typeof documentReply>;

/** The reply about an inspected template. */
export const inspectionReply = z.object({
  tags: z.array(z.string()),
  fonts: z.array(z.string()),
  /** The names or ids of the templates that its tags include. Missing in replies from workers of an earlier release. */
  includes: z.array(z.string()).optional(),
  schema: z.custom<DataSchema>(isObject),
  example: z.custom<JsonObject>(isObject),
  accessibility: z.array(z.object({ code: z.string(), message: z.string(), count: z.number().int() })),
  warnings: z.array(
    z.object({
      code: z.string(),
      message: z.string(),
      part: z.string().optional(),
      paths: z.array(z.string()).optional(),
      count: z.number().int().optional(),
    }),
  ),
});

export type InspectionReply = z.infer<typeof inspectionReply>;

/** The reply about an inspected picture. */
export const pictureReply = z.object({
  type: z.enum(['png', 'jpeg', 'gif', 'svg']),
  widthPx: z.number().int(),
  heightPx: z.number().int(),
});

export type PictureReply = z.infer<typeof pictureReply>;

/** The reply about an inspected font. Upload `cleanUploadId` holds the font in the form that conversions use. */
export const fontReply = z.object({
  cleanUploadId: z.string(),
  family: z.string(),
  familyNames: z.array(z.string()),
  fullName: z.string(),
  style: z.enum(['regular', 'bold', 'italic', 'boldItalic']),
  version: z.string().nullable(),
  format: z.enum(['truetype', 'opentype']),
  embedding: z.enum(['installable', 'editable', 'print']),
  glyphs: z.number().int(),
  coverage: z.array(z.number().int()),
});

export type FontReply = z.infer<typeof fontReply>;

/** The reply about an inspected invoice. */
export const invoiceReply = z.object({
  syntax: z.enum(['cii', 'ubl-invoice', 'ubl-credit-note']),
  profile: z.string().nullable(),
  specification: z.string(),
  ruleSets: z.array(z.string()),
  attachment: z
    .object({ name: z.string(), conformanceLevel: z.string().nullable(), relationship: z.string().nullable() })
    .nullable(),
  findings: z.array(
    z.object({
      id: z.string(),
      severity: z.enum(['fatal', 'warning', 'information']),
      text: z.string(),
      businessTerms: z.array(z.string()),
      location: z.string(),
      line: z.number().int(),
      problem: z.string().optional(),
    }),
  ),
  hasMoreFindings: z.boolean(),
  differences: z
    .array(
      z.object({
        message: z.string(),
        businessTerms: z.array(z.string()),
        invoiceLine: z.number().int().optional(),
        expected: z.string(),
        found: z.string().optional(),
        page: z.number().int().optional(),
        box: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }).optional(),
      }),
    )
    .nullable(),
  hasMoreDifferences: z.boolean(),
});

export type InvoiceReply = z.infer<typeof invoiceReply>;
