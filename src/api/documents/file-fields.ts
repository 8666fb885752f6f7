import { z } from '@hono/zod-openapi';
import { fileLimits, relationships } from '../../shared/request-files.ts';
import { optionalField } from '../http/optional-field.ts';
import { fileNameCharacter, filledLine, hasAtMost, plainFileName, plainText } from '../http/plain-text.ts';
import { all, given, neverAllowed, not } from '../http/schema-rules.ts';

const maxNameLength = 200;
const maxMegabytes = fileLimits.fileBytes / 1024 / 1024;
const maxBase64 = Math.ceil(fileLimits.fileBytes / 3) * 4;

const name = z
  .string()
  .refine((text) => hasAtMost(text, maxNameLength), `is longer than ${maxNameLength} characters`)
  .refine((text) => text !== '' && text.trim() === text, 'must not be empty, nor begin or end with a space')
  .refine((text) => !/[/\\]/.test(text) && !/^\.\.?$/.test(text), 'must not contain a path')
  .refine((text) => plainFileName.test(text), 'must not contain control characters')
  .openapi({
    minLength: 1,
    maxLength: maxNameLength,
    pattern: `^(?![.]{1,2}$)(?!\\s)(?![\\s\\S]*\\s$)${fileNameCharacter}+$`,
    example: 'order.xml',
    description: 'Name of the file. It must be unique in the list, ignoring case.',
  });

// The characters and lengths of names are those of RFC 6838, 4.2.
const mediaType = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,62}\/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,62}$/,
    'must be a media type such as application/xml, without parameters',
  )
  .openapi({ example: 'application/xml', description: 'Media type of the file, without parameters.' });

const asset = plainText(1, 200).openapi({
  description: 'Id or name of an asset of the account.',
  example: 'terms.pdf',
});

/** A pattern that also checks the groups of four would be slower, and overflow the stack for long texts. */
const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);

const content = z
  .string()
  .min(1, 'must not be empty')
  .refine((text) => text.length <= maxBase64, `must have at most ${maxMegabytes} MB; store larger files elsewhere`)
  .refine(isBase64, 'must be base64, without line breaks')
  .openapi({
    format: 'byte',
    maxLength: maxBase64,
    pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
    description: `The file in base64, of at most ${maxMegabytes} MB.`,
    example: 'PG9yZGVyLz4=',
  });

const emailFields = { name, mediaType };
const pdfFields = {
  ...emailFields,
  description: optionalField(filledLine(500)).openapi({ description: 'Shown with the name by PDF readers.' }),
  relationship: optionalField(
    z.enum(relationships, 'must be Source, Data, Alternative, Supplement or Unspecified'),
  ).openapi({
    description: 'How the file relates to the document (`AFRelationship`). Default: Unspecified.',
  }),
};

const fromAsset = { asset };
/** A file that is an asset, or in the request. */
export const fromAnywhere = {
  asset: optionalField(asset).openapi({ description: 'Id or name of an asset of the account, instead of `content`.' }),
  content: optionalField(content).openapi({ description: 'The file in base64, instead of `asset`.' }),
};
const oneSource = neverAllowed(all(given('asset'), given('content')), all(not(given('asset')), not(given('content'))));

interface Source {
  readonly asset?: string | undefined;
  readonly content?: string | undefined;
}

function checkSource(file: Source, { addIssue }: Pick<z.core.$RefinementCtx, 'addIssue'>): void {
  if ((file.asset === undefined) !== (file.content === undefined)) return;
  const message = file.asset === undefined ? 'must have an asset or content' : 'must not have both asset and content';
  addIssue({ code: 'custom', path: [], message });
}

function checkNames(
  files: readonly { readonly name: string }[],
  { addIssue }: Pick<z.core.$RefinementCtx, 'addIssue'>,
): void {
  const names = new Set<string>();
  for (const [index, file] of files.entries()) {
    const key = file.name.normalize('NFC').toLowerCase();
    if (names.has(key))
      addIssue({
        code: 'custom',
        path: [index, 'name'],
        message: 'is the name of another file: give each file its own name',
      });
    names.add(key);
  }
}

const texts = {
  attachments: `Files that are embedded in the PDF, at most ${fileLimits.pdfAttachments}. An archive file with attachments must be PDF/A-3b.`,
  prepend: `PDFs before the pages, at most ${fileLimits.joinedPdfs}.`,
  append: `PDFs after the pages, such as terms and conditions, at most ${fileLimits.joinedPdfs}.`,
  email: `Files that are sent with the document, at most ${fileLimits.emailAttachments}.`,
};

const attachment = z
  .strictObject({ ...pdfFields, ...fromAnywhere })
  .superRefine(checkSource)
  .openapi('PdfAttachment', { description: 'A file that is embedded in the PDF.', ...oneSource });
const batchAttachment = z
  .strictObject({ ...pdfFields, ...fromAsset })
  .openapi('BatchPdfAttachment', { description: 'An asset that is embedded in each PDF.' });
const joined = z
  .strictObject(fromAnywhere)
  .superRefine(checkSource)
  .openapi('JoinedPdf', { description: 'A PDF before or after the pages.', ...oneSource });
const batchJoined = z
  .strictObject(fromAsset)
  .openapi('BatchJoinedPdf', { description: 'A PDF before or after the pages, stored as an asset.' });
const emailed = z
  .strictObject({ ...emailFields, ...fromAnywhere })
  .superRefine(checkSource)
  .openapi('EmailAttachment', { description: 'A file that is sent with the document.', ...oneSource });
const batchEmailed = z
  .strictObject({ ...emailFields, ...fromAsset })
  .openapi('BatchEmailAttachment', { description: 'An asset that is sent with each document.' });

const { pdfAttachments, joinedPdfs, emailAttachments } = fileLimits;

function list<Item extends z.ZodType<Source>>(item: Item, most: number) {
  return z.array(item).max(most, `must have at most ${most} files`);
}

function namedList<Item extends z.ZodType<Source & { readonly name: string }>>(item: Item, most: number) {
  return list(item, most).superRefine(checkNames);
}

/** The fields of `output.pdf` with files. */
export const pdfFiles = {
  attachments: optionalField(namedList(attachment, pdfAttachments)).openapi({ description: texts.attachments }),
  prepend: optionalField(list(joined, joinedPdfs)).openapi({ description: texts.prepend }),
  append: optionalField(list(joined, joinedPdfs)).openapi({ description: texts.append }),
};

/** The same fields for a batch, whose rows share assets. */
export const batchPdfFiles = {
  attachments: optionalField(namedList(batchAttachment, pdfAttachments)).openapi({ description: texts.attachments }),
  prepend: optionalField(list(batchJoined, joinedPdfs)).openapi({ description: texts.prepend }),
  append: optionalField(list(batchJoined, joinedPdfs)).openapi({ description: texts.append }),
};

/** The field of `output.email` with files. */
export const emailFiles = {
  attachments: optionalField(namedList(emailed, emailAttachments)).openapi({ description: texts.email }),
};

/** The same field for a batch. */
export const batchEmailFiles = {
  attachments: optionalField(namedList(batchEmailed, emailAttachments)).openapi({ description: texts.email }),
};
