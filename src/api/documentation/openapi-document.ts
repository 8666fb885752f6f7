import { OpenAPIHono } from '@hono/zod-openapi';
import { scopeMeanings } from '../../shared/domain/api-keys/scopes.ts';
import { operatorScopeMeanings } from '../../shared/domain/operators/operator-scopes.ts';
import { thisRelease } from '../../shared/this-release.ts';
import type { AdminOperation } from '../admin/admin-operation.ts';
import { invoiceParts } from '../documents/invoice-schemas.ts';
import type { Operation } from '../operation.ts';
import { webhookRequests } from '../routes/webhooks/event-schemas.ts';
import { addCodeSamples } from './code-samples.ts';
import { addCommonHeaders, commonHeaders } from './common-headers.ts';
import { addExamples } from './examples.ts';
import type { OpenApiDocument } from './walk.ts';
import { withoutDefaults } from './without-defaults.ts';

const scopeList = Object.entries(scopeMeanings)
  .map(([scope, meaning]) => `- \`${scope}\`: ${meaning}`)
  .join('\n');

const operatorScopeList = Object.entries(operatorScopeMeanings)
  .map(([scope, meaning]) => `- \`${scope}\`: ${meaning}`)
  .join('\n');

const description = `Upload a Word template, send JSON, get a finished .docx or .pdf back, by HTTP and optionally by e-mail.

## Authentication

Every request carries an API key: \`Authorization: Bearer <API_KEY>\`. The operator of the service creates keys. A key that begins with \`dts_test_\` is a test key: its documents are free, have a watermark, and are never sent by e-mail. A key may be limited to scopes; each operation names the one that it needs:

${scopeList}

Operations below \`/v1/admin\` are for the operator of the service, and need an operator key (\`dop_…\`) instead. Its scopes:

${operatorScopeList}

## First call

The samples read the address of the service from \`URL\` and the key from \`KEY\`. Upload a template, and generate a PDF from it:

\`\`\`
export URL=https://docmill.example KEY=dts_…
ID=$(curl -sS -X PUT -H "Authorization: Bearer $KEY" -F name=letter.docx -F file=@letter.docx $URL/v1/templates | jq -r .id)
curl -sS -o letter.pdf -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"data": {"customer": {"name": "Ada"}}, "output": {"format": "pdf"}}' $URL/v1/templates/$ID/generate
\`\`\`

## Errors

Every error has the same body. The message says what is wrong; \`details\` names each invalid field of the request or tag of the template. The header \`Error-Code\` has a code for programs.

\`\`\`
{"error": {"status": 400, "message": "output.format: must be docx, pdf or xml",
  "details": [{"type": "Field", "path": "output.format", "message": "must be docx, pdf or xml"}]}}
\`\`\`

Repeat a request after 429 and 503, when the seconds in \`Retry-After\` are over.

## Repeating requests

Every POST takes an \`Idempotency-Key\`: a repeated request returns the same result and charges nothing more.

## Lists and fields

Lists are pages, newest first. The \`Link\` header (RFC 8288) points to the next page. Optional fields may be left out or be null. Times are in UTC (RFC 3339). Fields may be added to responses at any time.`;

const tags = [
  { name: 'Templates', description: 'Word documents with tags, and their versions.' },
  { name: 'Documents', description: 'Filling a template with data.' },
  { name: 'Jobs', description: 'The status and the file of each document.' },
  { name: 'Batches', description: 'Many documents from one template in one request.' },
  { name: 'Invoices', description: 'Electronic invoices by the rules of EN 16931.' },
  { name: 'Deliveries', description: 'Documents sent by e-mail, with the status of each recipient.' },
  { name: 'Webhooks', description: 'Signed notifications of events, and their deliveries.' },
  { name: 'Assets', description: 'Pictures that data refers to, such as logos and signatures.' },
  { name: 'Fonts', description: 'Fonts with which PDFs are printed.' },
  { name: 'Dictionary', description: 'Words that templates print in the language of a document.' },
  { name: 'Account', description: 'Quotas, usage and keys.' },
];

const tagGroups = [
  { name: 'Documents', tags: ['Templates', 'Documents', 'Jobs', 'Batches', 'Invoices'] },
  { name: 'Notifications', tags: ['Deliveries', 'Webhooks'] },
  { name: 'Material', tags: ['Assets', 'Fonts', 'Dictionary'] },
  { name: 'Account', tags: ['Account'] },
];

const adminTags = [
  { name: 'Accounts', description: 'For operators: accounts, their limits, usage and e-mails.' },
  { name: 'Billing', description: 'For operators: subscriptions, credits and budgets.' },
  { name: 'Keys', description: 'For operators: the keys of accounts.' },
  { name: 'Operations', description: 'For operators: queues, workers, retries, quarantine, pins and secrets.' },
  { name: 'Erasure', description: 'For operators: deleting accounts, and erasing documents and addresses.' },
  { name: 'Audit', description: 'For operators: what operators changed, and how keys were used.' },
  { name: 'Operators', description: 'For operators: the keys of operators.' },
];

const adminGroup = { name: 'For operators', tags: adminTags.map(({ name }) => name) };

/** OpenAPI 3.1 names a licence by its SPDX identifier; the library's type still follows 3.0. */
const license: { name: string; identifier: string } = { name: 'MIT', identifier: 'MIT' };

/**
 * Describes the operations (https://spec.openapis.org/oas/v3.1.0). `publicUrl` is the service's address for clients; by
 * default, addresses are relative to the document.
 */
export function createOpenApiDocument(
  operations: readonly Operation[],
  publicUrl = '/',
  adminOperations: readonly AdminOperation[] = [],
): OpenApiDocument {
  const { openAPIRegistry, getOpenAPI31Document } = new OpenAPIHono();
  openAPIRegistry.registerComponent('securitySchemes', 'apiKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, sent as `Authorization: Bearer <API_KEY>`.',
  });
  if (adminOperations.length > 0)
    openAPIRegistry.registerComponent('securitySchemes', 'operatorKey', {
      type: 'http',
      scheme: 'bearer',
      description: 'An operator key, sent as `Authorization: Bearer <OPERATOR_KEY>`; it begins with `dop_`.',
    });
  for (const [name, schema] of Object.entries(invoiceParts)) openAPIRegistry.registerComponent('schemas', name, schema);
  for (const [name, header] of Object.entries(commonHeaders))
    openAPIRegistry.registerComponent('headers', name, header);
  for (const { route, scope } of operations) {
    const needs = scope === null ? 'Every valid key may call it.' : `Scope of the key: \`${scope}\`.`;
    const description = `${route.description ?? ''}\n\n${needs}`;
    const named = scope === null ? {} : { 'x-scope': scope };
    openAPIRegistry.registerPath({ ...route, description, security: [{ apiKey: [] }], ...named });
  }
  for (const { route, scope } of adminOperations) {
    const description = `${route.description ?? ''}\n\nScope of the operator key: \`${scope}\`.`;
    openAPIRegistry.registerPath({ ...route, description, security: [{ operatorKey: [] }], 'x-scope': scope });
  }
  for (const request of webhookRequests) openAPIRegistry.registerWebhook({ ...request, security: [] });
  const document = getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Docmill',
      version: thisRelease.version,
      description,
      license,
      contact: { name: 'The operator of this service' },
    },
    servers: [{ url: publicUrl, description: 'This service.' }],
    tags: adminOperations.length === 0 ? tags : [...tags, ...adminTags],
    'x-tagGroups': adminOperations.length === 0 ? tagGroups : [...tagGroups, adminGroup],
  });
  // The library's generator produces plain JSON objects.
  const json = structuredClone(document);
  withoutDefaults(json);
  addCommonHeaders(json);
  addExamples(json);
  addCodeSamples(json);
  return json;
}
