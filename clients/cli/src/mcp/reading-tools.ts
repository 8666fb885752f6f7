import { ApiError } from '@docmill/client';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { findTemplate } from '../find-template.ts';
import { describeFailure, toAnswer } from './answer.ts';
import { previewPage } from './preview-page.ts';
import { parseRows, quoteBatch } from './quote-batch.ts';
import type { Guard, ToolDeps } from './tool-deps.ts';
import { data, dataFile, locale, readData, requireFolder, template, timezone, version } from './tool-input.ts';

const maxListed = 100;
const maxInlineRows = 1_000;

/** The tools call only the configured service. */
const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** The tools that do not store, change or charge anything. */
export function addReadingTools(server: McpServer, guard: Guard, { docmill, folder }: ToolDeps): void {
  server.registerTool(
    'list_templates',
    {
      title: 'List templates',
      description: 'The templates of the account, newest first: id, name, version and when they changed.',
      inputSchema: z.strictObject({
        name: z.string().max(300).optional().describe('Only templates whose name contains this.'),
        limit: z.int().min(1).max(maxListed).default(50),
      }),
      annotations: readOnly,
    },
    guard(async ({ name, limit }, signal) => {
      const templates: object[] = [];
      for await (const { id, name: found, version: current, updatedAt } of docmill.templates.list(
        { name, limit },
        { signal },
      )) {
        if (templates.length === limit) return toAnswer({ templates, hasMore: true });
        templates.push({ id, name: found, version: current, updatedAt });
      }
      return toAnswer({ templates, hasMore: false });
    }),
  );
  server.registerTool(
    'template_schema',
    {
      title: 'Schema of a template',
      description: 'The JSON Schema of the data that a template takes, and example data that fits it.',
      inputSchema: z.strictObject({ template, version }),
      annotations: readOnly,
    },
    guard(async ({ template: named, version: asked }, signal) => {
      const { id, name, version: current } = await findTemplate(docmill, named, signal);
      const { schema, example } = await docmill.templates.schema(id, asked === undefined ? {} : { version: asked }, {
        signal,
      });
      return toAnswer({ id, name, version: asked ?? current, schema, example });
    }),
  );
  server.registerTool(
    'validate_data',
    {
      title: 'Validate data',
      description:
        'Fills a template with data as generate does, and reports every mistake and missing value with tag, part and hint. Free; nothing is stored.',
      inputSchema: z.strictObject({ template, version, data, dataFile, locale, timezone }),
      annotations: readOnly,
    },
    guard(async ({ template: named, version: asked, locale: language, timezone: zone, ...rest }, signal) => {
      const filled = await readData(rest, folder);
      const { id, name } = await findTemplate(docmill, named, signal);
      const output = { locale: language ?? null, timezone: zone ?? null, onMissing: 'error' } as const;
      try {
        const preview = { format: 'pdf', pages: 1 } as const;
        const request = { templateId: id, version: asked ?? null, data: filled, output, preview };
        const { pageCount, warningCodes } = await docmill.templates.preview(request, { signal });
        return toAnswer({ isValid: true, template: name, pageCount, warningCodes });
      } catch (error) {
        // Data that does not fit is a result, not a tool failure.
        if (!(error instanceof ApiError) || error.status !== 400) throw error;
        return toAnswer({ isValid: false, template: name, ...describeFailure(error, signal) });
      }
    }),
  );
  server.registerTool(
    'preview',
    {
      title: 'Preview a page',
      description:
        'One page of the document as a picture, with the word PREVIEW across it, and the number of pages. Free; nothing is stored.',
      inputSchema: z.strictObject({
        template,
        version,
        data,
        dataFile,
        locale,
        timezone,
        page: z.int().min(1).max(1_000_000).default(1).describe('Counted from 1.'),
      }),
      annotations: readOnly,
    },
    guard(async ({ template: named, version: asked, locale: language, timezone: zone, page, ...rest }, signal) => {
      const filled = await readData(rest, folder);
      const { id, name } = await findTemplate(docmill, named, signal);
      const output = { locale: language ?? null, timezone: zone ?? null };
      const request = { templateId: id, version: asked ?? null, data: filled, output };
      const { preview, dpi } = await previewPage(docmill, request, page, signal);
      if (dpi === undefined)
        throw new CliError(exitCodes.failed, 'The picture of this page is too large.', 'Choose another page.');
      const { pageCount, warningCodes, bytes } = preview;
      const picture = { type: 'image', mimeType: 'image/png', data: Buffer.from(bytes).toString('base64') } as const;
      return toAnswer({ template: name, page, pageCount, dpi, warningCodes }, [picture]);
    }),
  );
  server.registerTool(
    'batch_quote',
    {
      title: 'Quote a batch',
      description:
        'What a batch would cost: rows, credits, credits left, invalid rows, and the estimated time. Free; nothing is stored.',
      inputSchema: z.strictObject({
        template,
        version,
        rows: z
          .array(z.record(z.string(), z.unknown()))
          .min(1)
          .max(maxInlineRows)
          .optional()
          .describe('The data of each document. Or give rowsFile.'),
        rowsFile: z
          .string()
          .max(1000)
          .optional()
          .describe('Path of a .csv, .ndjson or .json file in the shared folder, instead of rows.'),
      }),
      annotations: readOnly,
    },
    guard(async ({ template: named, version: asked, rows, rowsFile }, signal) => {
      if ((rows === undefined) === (rowsFile === undefined))
        throw new CliError(exitCodes.usage, 'Give either rows or rowsFile.');
      const items =
        rows?.map((row) => ({ data: row })) ??
        parseRows(rowsFile ?? '', await requireFolder(folder).readText(rowsFile ?? ''));
      const { id, name } = await findTemplate(docmill, named, signal);
      const quote = await quoteBatch(docmill, { templateId: id, version: asked, rows: items }, signal);
      return toAnswer({ template: name, ...quote });
    }),
  );
}
