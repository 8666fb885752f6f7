import { z } from '@hono/zod-openapi';
import { emailRequest } from '../generation/generate-request.ts';
import { pdfRequest } from '../generation/pdf-request.ts';
import { renderFields } from '../generation/render-request.ts';
import { plainLine, plainText } from '../http/plain-text.ts';
import { targetUrl } from '../webhooks/target-url.ts';

const template = z.string().min(1).max(1_000);
const addresses = z.array(template).max(50);

const emailTemplate = z
  .strictObject({
    to: addresses.min(1).openapi({ description: 'Addresses, or names of values: `{customer.email}`.' }),
    cc: addresses.optional(),
    bcc: addresses.optional(),
    subject: plainLine(1, 500).optional().openapi({ description: 'May hold names of values.' }),
    body: plainText(1, 500_000).optional().openapi({ description: 'The same for all rows.' }),
  })
  .openapi('BatchEmail');

const formats = z.enum(['docx', 'pdf'], 'must be docx or pdf');
const bundles = z.enum(['zip', 'pdf', 'none'], 'must be zip, pdf or none');
const filename = template.openapi({
  description: 'Name of each file, with names of values in braces. Names that repeat get a number.',
  example: 'invoice-{number}',
});
const maxFailures = z.int('must be a whole number').min(0).max(100_000).openapi({
  description: 'With more failed rows than these the batch fails, and the rows that were not made are given back.',
});
const callbackUrl = targetUrl.openapi({
  description: 'An https address that is told when the batch has completed or failed.',
});

/** The `output` of one row of the JSON form: what it gives takes the place of the batch's own. */
export const itemOutput = z
  .strictObject({
    filename: z.string().min(1).max(1_000).optional().openapi({ description: 'Name of the file, as it is written.' }),
    ...renderFields,
    pdf: pdfRequest.optional(),
    email: emailRequest.optional(),
  })
  .openapi('BatchItemOutput');

const batchOutput = z
  .strictObject({
    format: formats.default('docx'),
    filename: filename.optional(),
    ...renderFields,
    pdf: pdfRequest.optional(),
    email: emailTemplate.optional(),
  })
  .refine((value) => value.pdf === undefined || value.format === 'pdf', {
    path: ['pdf'],
    message: 'can only be given when output.format is pdf',
  })
  .refine((value) => value.onMissing !== 'highlight' || value.format === 'docx', {
    path: ['onMissing'],
    message: 'can only be highlight when output.format is docx',
  });

const options = z.strictObject({
  output: batchOutput.default({ format: 'docx' }),
  bundle: bundles.default('zip').openapi({
    description: 'How the files are handed out: a zip, one PDF (in volumes when it is large), or one by one only.',
  }),
  maxFailures: maxFailures.optional(),
  callbackUrl: callbackUrl.optional(),
  dryRun: z.boolean().optional().openapi({ description: 'Only tell what the batch would cost.' }),
});

const fits = (value: z.infer<typeof options>, context: z.core.$RefinementCtx): void => {
  if (value.bundle !== 'pdf') return;
  const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['bundle'], message });
  if (value.output.format !== 'pdf') refuse('can only be pdf when output.format is pdf');
  if (value.output.pdf?.password !== undefined) refuse('cannot be pdf when the files have a password');
  if (value.output.pdf?.permissions !== undefined) refuse('cannot be pdf when the files have permissions');
};

/** Everything of the JSON form but the elements of `items`, which are read one by one. */
export const batchEnvelope = options.extend({ items: z.array(z.unknown(), 'must be a list') }).superRefine(fits);

export type BatchOptions = Omit<z.infer<typeof batchEnvelope>, 'items'>;
export type ItemOutput = z.infer<typeof itemOutput>;

const item = z.object({ data: z.record(z.string(), z.unknown()), output: itemOutput.optional() }).openapi('BatchItem');

/** The JSON form, for the reference. */
export const batchRequest = options.extend({ items: z.array(item) }).openapi('BatchRequest');

const flag = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');
const whole = z.coerce.number('must be a number').pipe(maxFailures);

/** What the streamed forms say in the query. */
export const batchQuery = z.strictObject({
  version: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1)
    .max(2_000_000_000)
    .optional()
    .openapi({ description: 'Version of the template; the current one when not given.' }),
  dryRun: flag.optional().openapi({ description: 'Only tell what the batch would cost; nothing is stored.' }),
  format: formats.optional().openapi({ description: 'Format of the files; docx without it. Of the streamed forms.' }),
  filename: filename.optional(),
  bundle: bundles.optional().openapi({ description: 'As in the JSON form; zip without it. Of the streamed forms.' }),
  maxFailures: whole.optional(),
  ...renderFields,
  callbackUrl: callbackUrl.optional(),
  emailTo: template.optional().openapi({ description: 'As `output.email.to`, one address.', example: '{email}' }),
  emailSubject: plainLine(1, 500).optional(),
  emailBody: plainText(1, 10_000).optional(),
});
