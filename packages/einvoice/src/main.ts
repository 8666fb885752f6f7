export type { Profile } from './profile.ts';
export type { Severity } from './rule-set.ts';
export type { Finding } from './run-rules.ts';
export { type InvoiceReport, type RuleSetName, validateInvoice } from './validate-invoice.ts';
export { UnreadableInvoice } from './xml/unreadable-invoice.ts';
