import { describe, expect, test } from 'vitest';
import { sampleInvoices } from '../../../packages/einvoice/test/sample-invoices.ts';
import { createRandom, mutateInvoice } from '../../support/einvoice/mutate-invoice.ts';
import { ownVerdicts } from '../../support/einvoice/own-verdicts.ts';
import { hasSaxon, type RuleSetName, saxonVerdicts } from '../../support/einvoice/saxon-verdicts.ts';
import { volume } from '../../support/extended.ts';

/** All sample invoices, and randomly changed ones: more than 2,000 in the nightly run, which has `TEST_VOLUME=4`. */
function invoicesWith(prefix: string): ReadonlyMap<string, string> {
  const samples = [...sampleInvoices].filter(([name]) => name.startsWith(prefix));
  const random = createRandom(37);
  const broken = Array.from({ length: volume(6, 130) }, (_, index): readonly [string, string] => {
    const [name, xml] = samples[index % samples.length] ?? ['', ''];
    return [`${name}-${index}`, mutateInvoice(xml, random)];
  });
  return new Map([...samples, ...broken]);
}

describe.skipIf(!hasSaxon)('Saxon gives the same verdict, rule by rule, on invoices and broken ones', () => {
  test.each<[RuleSetName, string]>([
    ['en16931-cii', 'cii-'],
    ['en16931-cii', 'xrechnung-'],
    ['xrechnung-cii', 'xrechnung-'],
    ['en16931-ubl', 'ubl-'],
  ])('by the rules %s, of the samples %s', async (ruleSet, prefix) => {
    const invoices = invoicesWith(prefix);
    const theirs = await saxonVerdicts(ruleSet, invoices);
    for (const [name, xml] of invoices) expect(ownVerdicts(ruleSet, xml), name).toEqual(theirs.get(name));
  });
});
