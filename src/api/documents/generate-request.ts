import { z } from '@hono/zod-openapi';
import { mailAddressPattern, maxRecipients, parseRecipients, type RecipientsInput } from '../../shared/mail-address.ts';
import { defaultField, optionalField, optionalObject } from '../http/optional-field.ts';
import { boundedText, filledLine, plainText } from '../http/plain-text.ts';
import { targetUrl } from './callback-url.ts';
import { batchEmailFiles, emailFiles } from './file-fields.ts';
import { xmlInvoice } from './invoice-fields.ts';
import { checkOutputRules, outputRules, pdfOptions, renderOptions } from './output-options.ts';

const address = z.string('must be an e-mail address').openapi({
  pattern: mailAddressPattern,
  maxLength: 254,
  description: 'At most 254 bytes of UTF-8, 64 of them before the @. International addresses are normalized to NFC.',
  example: 'name@example.com',
});

/** Fields of a request that names recipients; `checkRecipients` checks the addresses. */
export const recipientFields = {
  to: z.array(address).openapi({
    minItems: 1,
    maxItems: maxRecipients,
    description: 'Primary recipients.',
    example: ['ada@example.com'],
  }),
  cc: optionalField(z.array(address)).openapi({ maxItems: maxRecipients, description: 'CC recipients.' }),
  bcc: optionalField(z.array(address)).openapi({ maxItems: maxRecipients, description: 'BCC recipients.' }),
};

export function checkRecipients(value: RecipientsInput, context: z.core.$RefinementCtx<RecipientsInput>): void {
  const result = parseRecipients(value);
  for (const problem of result.ok ? [] : result.problems) {
    context.addIssue({ code: 'custom', path: [...problem.path], message: problem.message });
  }
}

const messageFields = {
  ...recipientFields,
  subject: optionalField(filledLine(500)).openapi({
    description: 'Replaces the default subject, which is in the language of the document.',
  }),
  body: optionalField(plainText(1, 500_000)).openapi({
    description:
      'Text or HTML that replaces the default body, which is in the language of the document. A plain-text alternative is added to HTML.',
  }),
};
const emailDescription = `Also sends the document by e-mail. \`to\`, \`cc\` and \`bcc\` together name at most ${maxRecipients} recipients; one that is named twice counts once. With a test key nothing is sent: the delivery has the status \`skipped\`.`;

const emailRequest = z
  .strictObject({ ...messageFields, ...emailFiles })
  .superRefine(checkRecipients)
  .openapi('EmailOptions', { description: emailDescription });

/** `output.email` of a row of a batch, whose files are assets. */
export const rowEmailRequest = z
  .strictObject({ ...messageFields, ...batchEmailFiles })
  .superRefine(checkRecipients)
  .openapi('BatchRowEmail', { description: emailDescription });

/** `output.filename`. */
export const filenameField = optionalField(boundedText(1, 1_000)).openapi({
  description: 'Name of the file. Default: the name of the template. A missing extension is added.',
  example: 'invoice-2026-114.docx',
});

const output = z
  .strictObject({
    format: defaultField(z.enum(['docx', 'pdf', 'xml'], 'must be docx, pdf or xml'), 'docx').openapi({
      description: 'Format of the file. `xml` is an electronic invoice without pages. Default: docx.',
    }),
    filename: filenameField,
    ...renderOptions,
    pdf: optionalObject(pdfOptions).openapi({ description: 'Options of the PDF; only with `format` pdf.' }),
    xml: optionalObject(xmlInvoice).openapi({ description: 'The electronic invoice; only with `format` xml.' }),
    email: optionalObject(emailRequest).openapi({ description: 'Also send the document by e-mail.' }),
  })
  .superRefine(checkOutputRules)
  .openapi('OutputOptions', { description: 'How the document is made and delivered.', ...outputRules });

/** `data` of a request. The template decides what it accepts. */
export const dataField = z
  .custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: ({ input }) => dataProblem(input),
  })
  .openapi({
    type: 'object',
    additionalProperties: true,
    description: 'Keys match the tags of the template; values are scalars, objects, or arrays of objects.',
    example: { customer: { name: 'Ada Lovelace' }, items: [{ name: 'Consulting', amount: '1,200.00' }] },
  });

function dataProblem(input: unknown): string {
  if (input === undefined) return 'is missing';
  return `must be an object${input === null ? ', not null' : ''}`;
}

/** The body of generate. The template decides which `data` it accepts. */
export const generateRequest = z
  .strictObject({
    data: dataField,
    output: optionalObject(output).openapi({ description: 'How the document is made and delivered.' }),
    callbackUrl: optionalField(targetUrl).openapi({
      description:
        'An https address that is notified when the document succeeds or fails, signed with the secret of `GET /v1/webhooks/callbacks`.',
      example: 'https://example.com/hooks/invoice-114',
    }),
  })
  .openapi('GenerateRequest');

export type GenerateRequest = z.infer<typeof generateRequest>;
