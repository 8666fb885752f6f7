import { invoiceModel } from '@docmill/einvoice/model';
import type { z as openApi } from '@hono/zod-openapi';
import { z } from 'zod';

type Metadata = NonNullable<Parameters<openApi.ZodString['openapi']>[1]>;
type Json = Readonly<Record<string, unknown>>;

/** The parts of an invoice that have names of their own, by their path in the model. */
const names: ReadonlyMap<string, string> = new Map([
  ['seller', 'InvoiceSeller'],
  ['buyer', 'InvoiceBuyer'],
  ['payee', 'InvoicePayee'],
  ['taxRepresentative', 'InvoiceTaxRepresentative'],
  ['delivery', 'InvoiceDelivery'],
  ['payment', 'InvoicePayment'],
  ['allowances[]', 'InvoiceAllowance'],
  ['charges[]', 'InvoiceCharge'],
  ['totals', 'InvoiceTotals'],
  ['vatBreakdown[]', 'InvoiceVatCategory'],
  ['documents[]', 'InvoiceDocument'],
  ['lines[]', 'InvoiceLine'],
  ['lines[].price', 'InvoicePrice'],
  ['lines[].item', 'InvoiceItem'],
]);

const parts: Record<string, object> = {};

/** The JSON Schema of the invoice model. Its descriptions name the business terms of EN 16931. */
export const invoiceDataSchema: Metadata = writeSchema();

/** The JSON Schemas of the parts to which it refers, by their name in the OpenAPI document. */
export const invoiceParts: Readonly<Record<string, object>> = parts;

function writeSchema(): Metadata {
  const { $schema: _schema, ...model } = z.toJSONSchema(invoiceModel, { io: 'input' });
  return named(model, '') as Metadata;
}

/** Moves the parts with names out of a schema. */
function named(schema: Json, path: string): object {
  const { properties, items, ...rest } = schema;
  const inner = (key: string): string => (path === '' ? key : `${path}.${key}`);
  const fields = Object.entries((properties ?? {}) as Readonly<Record<string, Json>>);
  const written = {
    ...rest,
    description: aboutOf(schema),
    ...(properties !== undefined && {
      properties: Object.fromEntries(fields.map(([key, field]) => [key, named(field, inner(key))])),
    }),
    ...(items !== undefined && { items: named(items as Json, `${path}[]`) }),
  };
  const name = names.get(path);
  if (name === undefined) return written;
  parts[name] = written;
  return { $ref: `#/components/schemas/${name}` };
}

/** The description of a list is that of its entries, and of an identifier with a scheme that of its first field. */
function aboutOf({ description, items, properties }: Json): unknown {
  if (description !== undefined) return description;
  const inner = items ?? Object.values((properties ?? {}) as Readonly<Record<string, Json>>)[0];
  return inner === undefined ? undefined : aboutOf(inner as Json);
}
