import { exampleId } from '../../routes/common-schemas.ts';
import { checksum, createdAt, type Examples } from './common.ts';

export const data = { customer: { name: 'Ada Lovelace' }, items: [{ name: 'Consulting', amount: 1_200 }] };

const dataSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    customer: { type: 'object', properties: { name: { type: 'string' } } },
    items: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' }, amount: {} } } },
  },
};

export const template = {
  id: exampleId('tpl'),
  name: 'invoice.docx',
  version: 1,
  size: 18_204,
  checksum,
  tags: ['customer.name', 'items', 'items.amount', 'items.name'],
  createdAt,
  updatedAt: createdAt,
};

const fonts = [{ name: 'Calibri', status: 'substituted', substitute: 'Carlito' }];

const accessibility = [
  {
    code: 'alternative_text_missing',
    message: 'A picture has no alternative text. Describe it, or mark it as decorative. The first: "Picture 1".',
    count: 2,
  },
];

const syntax = { delimiters: '{ }', unlikelyTags: 'text' };

const warnings = [{ code: 'font_missing', message: 'The font Futura is not installed', part: 'body' }];

export const words = { en: { total: 'Total', due: 'Due' }, de: { total: 'Summe', due: 'Fällig am' } };

const reviewer = { keyId: exampleId('key'), name: 'Grace Hopper' };
const author = { keyId: exampleId('key'), name: 'Ada Lovelace' };

const asset = {
  id: exampleId('ast'),
  name: 'logo.png',
  type: 'png',
  size: 18_204,
  checksum,
  width: 640,
  height: 480,
  createdAt,
  updatedAt: createdAt,
};

export const templateExamples: Examples = {
  TemplateMetadata: template,
  TemplateDetail: {
    ...template,
    fonts,
    accessibility,
    ...syntax,
    includes: [{ name: 'terms', status: 'found', templateId: exampleId('tpl'), version: 3 }],
    pdfEngine: 'direct',
    pdfEngineReasons: [],
    proving: false,
  },
  UploadedTemplate: { ...template, fonts, accessibility, ...syntax, warnings },
  ValidTemplate: {
    valid: true,
    tags: template.tags,
    fonts,
    accessibility,
    warnings,
    schema: dataSchema,
    example: data,
  },
  TemplateSchema: { schema: dataSchema, stated: null, invoiceMap: null, example: data },
  TemplateStatistics: {
    templateId: template.id,
    lastDocumentAt: createdAt,
    documents: 240,
    failures: 3,
    withWarnings: 12,
    p95TotalMs: 412,
    p95ProductionMs: 380,
    complete: true,
  },
  TemplateVersion: { version: 1, size: 18_204, checksum, tags: template.tags, createdAt, current: true },
  Review: {
    templateId: template.id,
    templateName: template.name,
    version: 2,
    state: 'approved',
    liveVersion: 2,
    uploadedBy: author,
    uploadedByYou: false,
    createdAt,
    approval: { ...reviewer, at: createdAt },
    fonts: ['Calibri'],
    ...syntax,
    log: [
      { action: 'submitted', ...author, at: createdAt, comment: 'New payment terms.' },
      { action: 'approved', ...reviewer, at: createdAt },
    ],
  },
  Asset: asset,
  Dictionary: { words, checksum, updatedAt: createdAt },
  AccountFont: {
    id: exampleId('fnt'),
    scope: 'account',
    name: 'Corporate font, bold',
    family: 'Acme Sans',
    style: 'bold',
    fullName: 'Acme Sans Bold',
    version: 'Version 1.004',
    format: 'truetype',
    embedding: 'installable',
    glyphs: 812,
    characters: 640,
    size: 148_204,
    checksum,
    createdAt,
    updatedAt: createdAt,
  },
  Font: {
    name: 'Noto Sans Thai',
    scope: 'installed',
    styles: ['Bold', 'Regular'],
    scripts: ['Thai'],
    version: '2',
    workers: 3,
    complete: true,
  },
};
