export { decimalOf, roundTo, sumOf } from './model/amounts.ts';
export type { WrongAmount } from './model/complete-invoice.ts';
export { type Invoice, invoiceModel } from './model/invoice.ts';
export {
  type PrintedInvoice,
  type PrintedLine,
  type PrintedTerm,
  type PrintedVat,
  readPrintedTerms,
} from './printed-terms.ts';
export type { Profile } from './profile.ts';
export type { Severity } from './rule-set.ts';
export type { Finding, SeverityOf } from './run-rules.ts';
export { type InvoiceReport, type RuleSetName, validateInvoice } from './validate-invoice.ts';
export { type InvoiceSyntax, type MadeInvoice, makeInvoice } from './write/make-invoice.ts';
export { type ProfileName, profiles } from './write/profiles.ts';
export { UnreadableInvoice } from './xml/unreadable-invoice.ts';
