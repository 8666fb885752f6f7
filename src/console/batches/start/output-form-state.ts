import type { components } from '@docmill/client';
import { splitAddresses } from '../../ui/split-addresses.ts';

type Output = NonNullable<components['schemas']['BatchRequest']['output']>;
type Pdf = NonNullable<Output['pdf']>;
type Permissions = NonNullable<Pdf['permissions']>;

/** The options of a batch request besides its rows. */
export type BatchOptions = Omit<components['schemas']['BatchRequest'], 'items'>;

/** The fields of the form as the user fills them; an empty string means the service's default. */
export interface OutputForm {
  readonly format: 'pdf' | 'docx';
  readonly bundle: 'zip' | 'pdf' | 'none';
  readonly filename: string;
  readonly maxFailures: string;
  readonly callbackUrl: string;
  readonly locale: string;
  readonly timezone: string;
  /** In the format of a `datetime-local` input, in local time. */
  readonly documentDate: string;
  readonly onMissing: '' | 'error' | 'highlight';
  readonly onMissingGlyph: '' | 'error';
  readonly externalContent: '' | 'keep' | 'remove';
  readonly archive: '' | NonNullable<Pdf['archive']>;
  readonly isAccessible: boolean;
  readonly onNonconformance: '' | 'error';
  readonly watermark: string;
  readonly pages: string;
  readonly imageQuality: string;
  readonly password: string;
  readonly printing: '' | NonNullable<Permissions['printing']>;
  readonly changes: '' | NonNullable<Permissions['changes']>;
  readonly forbidsCopying: boolean;
  readonly forbidsReading: boolean;
  readonly sendsEmail: boolean;
  readonly to: string;
  readonly cc: string;
  readonly bcc: string;
  readonly subject: string;
  readonly body: string;
}

export const emptyForm: OutputForm = {
  format: 'pdf',
  bundle: 'zip',
  filename: '',
  maxFailures: '',
  callbackUrl: '',
  locale: '',
  timezone: '',
  documentDate: '',
  onMissing: '',
  onMissingGlyph: '',
  externalContent: '',
  archive: '',
  isAccessible: false,
  onNonconformance: '',
  watermark: '',
  pages: '',
  imageQuality: '',
  password: '',
  printing: '',
  changes: '',
  forbidsCopying: false,
  forbidsReading: false,
  sendsEmail: false,
  to: '',
  cc: '',
  bcc: '',
  subject: '',
  body: '',
};

/** The options of the request. Options of the other format are left out; the service validates the rest. */
export function toBatchOptions(form: OutputForm): BatchOptions {
  const isPdf = form.format === 'pdf';
  const email = form.sendsEmail
    ? given({
        to: splitAddresses(form.to),
        cc: splitAddresses(form.cc),
        bcc: splitAddresses(form.bcc),
        subject: form.subject,
        body: form.body,
      })
    : undefined;
  const output = given({
    format: form.format,
    filename: form.filename,
    locale: form.locale,
    timezone: form.timezone,
    documentDate: form.documentDate === '' ? '' : new Date(form.documentDate).toISOString(),
    onMissing: form.onMissing === 'highlight' && isPdf ? '' : form.onMissing,
    onMissingGlyph: isPdf ? form.onMissingGlyph : '',
    docx: isPdf ? undefined : nonEmpty(given({ externalContent: form.externalContent })),
    pdf: isPdf ? nonEmpty(pdfOf(form)) : undefined,
    email: email === undefined ? undefined : { to: [], ...email },
  });
  return given({
    output,
    bundle: form.bundle === 'pdf' && !isPdf ? 'zip' : form.bundle,
    maxFailures: numberOf(form.maxFailures),
    callbackUrl: form.callbackUrl,
  }) as BatchOptions;
}

function pdfOf(form: OutputForm) {
  const permissions = nonEmpty(
    given({
      printing: form.printing,
      changes: form.changes,
      copying: form.forbidsCopying ? false : undefined,
      accessibility: form.forbidsReading ? false : undefined,
    }),
  );
  return given({
    archive: form.archive,
    accessible: form.isAccessible || undefined,
    onNonconformance: form.onNonconformance,
    watermark: form.watermark,
    pages: form.pages.replaceAll(' ', ''),
    imageQuality: numberOf(form.imageQuality),
    password: form.password,
    permissions,
  });
}

const numberOf = (text: string): number | undefined => (text.trim() === '' ? undefined : Number(text));

/** Leaves out empty fields. */
function given<T extends object>(fields: T): Partial<T> {
  const isGiven = (value: unknown) =>
    value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isGiven(value))) as Partial<T>;
}

const nonEmpty = <T extends object>(fields: T): T | undefined =>
  Object.keys(fields).length === 0 ? undefined : fields;
