/** The prefix of each namespace in the names of nodes. The compiler of the rules uses the same prefixes. */
export const prefixes: ReadonlyMap<string, string> = new Map([
  ['urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100', 'rsm'],
  ['urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100', 'ram'],
  ['urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100', 'udt'],
  ['urn:un:unece:uncefact:data:standard:QualifiedDataType:100', 'qdt'],
  ['urn:oasis:names:specification:ubl:schema:xsd:Invoice-2', 'ubl'],
  ['urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2', 'cn'],
  ['urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2', 'cac'],
  ['urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2', 'cbc'],
  ['urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2', 'ext'],
]);
