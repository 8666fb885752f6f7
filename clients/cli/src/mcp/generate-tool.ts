import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { findTemplate } from '../find-template.ts';
import { toAnswer } from './answer.ts';
import type { Guard, ToolDeps } from './tool-deps.ts';
import { data, dataFile, locale, readData, requireFolder, template, timezone, version } from './tool-input.ts';

/** The only tool that charges. It sends no e-mail; the document only becomes a file in the shared folder. */
export function addGenerateTool(server: McpServer, guard: Guard, { docmill, folder }: ToolDeps): void {
  server.registerTool(
    'generate',
    {
      title: 'Generate a document',
      description:
        'Fills a template, charges one credit, and writes the document to a new file in the shared folder. Returns its name, not its content.',
      inputSchema: z.strictObject({
        template,
        version,
        data,
        dataFile,
        locale,
        timezone,
        format: z.enum(['docx', 'pdf']).default('pdf'),
        onMissing: z.enum(['empty', 'error']).default('error').describe('What a missing value does.'),
        filename: z
          .string()
          .min(1)
          .max(200)
          .regex(/^[^\\/\0]+$/, 'must be a name without a folder')
          .optional()
          .describe('Name of the file. Default: the name of the template.'),
      }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    guard(async ({ template: named, version: asked, filename, ...rest }, signal) => {
      const shared = requireFolder(folder);
      const { locale: language, timezone: zone, format, onMissing } = rest;
      const filled = await readData(rest, shared);
      const { id: templateId, name } = await findTemplate(docmill, named, signal);
      const options = { version: asked, format, onMissing, filename, locale: language, timezone: zone };
      const document = await docmill.templates.generate(templateId, filled, { ...options, signal });
      const bytes = await document.bytes();
      const file = await shared.write(document.filename, bytes);
      const warnings = (await document.warnings()).map(({ message }) => message);
      return toAnswer({ id: document.id, template: name, file, size: bytes.length, warnings });
    }),
  );
}
