import { readFileSync } from 'node:fs';
import type { components } from '@docmill/client';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type Answer, expectProblem } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { pdfWithAttachment } from '../../support/documents/pdf-with-attachment.ts';
import { formOf } from './form-bodies.ts';

const { newClient } = await useService(inject('stack'));
let client: TestClient;
beforeAll(async () => {
  client = await newClient();
});

const sample = (name: string): Buffer =>
  readFileSync(new URL(`../../../packages/einvoice/test/invoices/${name}.xml`, import.meta.url));
const validate = (file: Uint8Array): Promise<Answer> =>
  client.call('POST', '/v1/invoices/validate', { body: formOf([['file', file, 'invoice']]) });
const reportOn = async (file: Uint8Array): Promise<components['schemas']['InvoiceReport']> => {
  const answer = await validate(file);
  expect(answer.status).toBe(200);
  return answer.json();
};

const invoice = sample('cii-example5');
/** The same invoice with a total that is not the sum of its parts. */
const wrong = Buffer.from(invoice.toString().replace(/(<ram:GrandTotalAmount>)[^<]*/, '$19999.99'));

describe('an invoice', () => {
  test('that keeps the rules is valid', async () => {
    expect(await reportOn(invoice)).toMatchObject({
      valid: true,
      syntax: 'cii',
      profile: 'EN 16931',
      ruleSets: ['en16931-cii'],
      attachment: null,
      findings: [],
      hasMoreFindings: false,
    });
  });

  test('that breaks a rule is not valid, and the rule is named with its terms and place', async () => {
    const { valid, findings } = await reportOn(wrong);
    expect(valid).toBe(false);
    expect(findings).toContainEqual(
      expect.objectContaining({
        id: 'BR-CO-16',
        severity: 'fatal',
        businessTerms: expect.arrayContaining(['BT-112']),
        location: expect.stringContaining('SpecifiedTradeSettlementHeaderMonetarySummation'),
      }),
    );
  });

  test('in a PDF is found, and its profile is compared with the metadata', async () => {
    expect(await reportOn(pdfWithAttachment('factur-x.xml', invoice, 'EN 16931'))).toMatchObject({
      valid: true,
      attachment: { name: 'factur-x.xml', conformanceLevel: 'EN 16931', relationship: 'Alternative' },
    });
    expect(await reportOn(pdfWithAttachment('factur-x.xml', invoice, 'BASIC'))).toMatchObject({
      valid: false,
      findings: [{ id: 'pdf-profile', severity: 'fatal' }],
    });
  });
});

test.each<[string, Uint8Array, RegExp]>([
  ['text', Buffer.from('no invoice'), /not well-formed/],
  ['XML that is no invoice', Buffer.from('<a/>'), /root element "a"/],
  ['a document type', Buffer.from('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'), /document type/],
  ['a PDF without an invoice', pdfWithAttachment('terms.xml', invoice, 'EN 16931'), /no attached invoice/],
  ['a damaged PDF', Buffer.from('%PDF-1.7\nnothing'), /PDF/],
])('%s is refused with the reason', async (_, file, reason) => {
  const message = expect.stringMatching(reason);
  expect(expectProblem(await validate(file), 400).details).toMatchObject([{ type: 'Field', path: 'file', message }]);
});
