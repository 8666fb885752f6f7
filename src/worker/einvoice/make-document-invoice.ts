import {
  type Finding,
  type Invoice,
  invoiceModel,
  makeInvoice,
  type ProfileName,
  profiles,
  UnreadableInvoice,
  validateInvoice,
  type WrongAmount,
} from '@docmill/einvoice';
import { AppError, type ErrorDetail } from '../../shared/errors.ts';
import { toFieldDetails } from '../../shared/schema-issues.ts';
import type { RenderLocale } from '../docx/language/render-context.ts';
import { compileMapping } from './compile-mapping.ts';
import { type MappedValue, mapInvoice } from './map-invoice.ts';

/** What an invoice is made of: the XML itself, its JSON in the terms of EN 16931, or the data and a mapping. */
export type InvoiceSource =
  | { readonly kind: 'xml'; readonly bytes: Uint8Array }
  | { readonly kind: 'model'; readonly bytes: Uint8Array }
  | { readonly kind: 'mapping'; readonly bytes: Uint8Array; readonly mapping: string };

export interface InvoiceOrder {
  readonly source: InvoiceSource;
  readonly profile: ProfileName;
  readonly syntax: 'cii' | 'ubl';
  /** The path of the options in the request, for errors. */
  readonly path: string;
  readonly locale: RenderLocale;
  /** Requested with a test key: the first note says so. */
  readonly isTest: boolean;
}

/** A valid invoice. */
export interface DocumentInvoice {
  readonly xml: Uint8Array;
  /** The rules with a severity below `fatal` that it breaks. */
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  /** The keys at the top of the data that the mapping reads. */
  readonly readKeys: readonly string[];
}

/** The values of a mapping by their path in the model, and the first value of each term. */
interface Terms {
  readonly byPath: ReadonlyMap<string, MappedValue>;
  readonly byTerm: ReadonlyMap<string, MappedValue>;
}

const noTerms: Terms = { byPath: new Map(), byTerm: new Map() };

const maxDetails = 100;
const maxWarnings = 20;
const testNote = 'TEST. This is not an invoice.';

/** Makes the invoice of a document, and validates it. Throws `invoice_invalid` with every rule that it breaks. */
export function makeDocumentInvoice(order: InvoiceOrder): DocumentInvoice {
  const { source } = order;
  if (source.kind === 'xml') return checkXml(order, source.bytes);
  const { model, terms, readKeys } =
    source.kind === 'model' ? readModel(order, source.bytes) : readMapped(order, source);
  return { ...write(order, order.isTest ? withTestNote(model) : model, terms), readKeys };
}

function checkXml({ profile, syntax, path }: InvoiceOrder, xml: Uint8Array): DocumentInvoice {
  const report = orRefused(path, () => validateInvoice(xml));
  const isSyntax = (report.syntax === 'cii') === (syntax === 'cii');
  if (!isSyntax) {
    const message = `The XML is ${report.syntax === 'cii' ? 'CII' : 'UBL'}, but the request asks for ${syntax.toUpperCase()}.`;
    throw refused([{ type: 'Field', path: `${path}.syntax`, message }]);
  }
  const expected = profileNames[profile];
  if (report.profile !== expected) {
    const { customizationId: id } = report;
    const unknown = id === '' ? 'no profile' : `the specification "${id.slice(0, 200)}"`;
    const declared = report.profile ?? unknown;
    const message = `The XML declares ${declared} (BT-24), but the request asks for ${expected}.`;
    throw refused([{ type: 'Field', path: `${path}.profile`, message }]);
  }
  return { xml, warnings: accept(report.findings, [], noTerms), readKeys: [] };
}

/** Reads or writes an invoice. One that exceeds a limit of the validation is invalid. */
function orRefused<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof UnreadableInvoice) throw refused([{ type: 'Field', path, message: error.message }]);
    throw error;
  }
}

/** The names of the profiles in reports. */
const profileNames: Readonly<Record<ProfileName, string>> = {
  minimum: profiles.minimum.conformanceLevel,
  'basic-wl': profiles['basic-wl'].conformanceLevel,
  basic: profiles.basic.conformanceLevel,
  en16931: profiles.en16931.conformanceLevel,
  extended: profiles.extended.conformanceLevel,
  xrechnung: profiles.xrechnung.conformanceLevel,
  peppol: 'PEPPOL BIS 3',
};

interface ReadInvoice {
  readonly model: Invoice;
  readonly terms: Terms;
  readonly readKeys: readonly string[];
}

/** As in every request, a field that is null is a field that is left out. */
const withoutNull = (_key: string, value: unknown): unknown => value ?? undefined;

function readModel({ path }: InvoiceOrder, bytes: Uint8Array): ReadInvoice {
  const parsed = invoiceModel.safeParse(JSON.parse(Buffer.from(bytes).toString('utf8'), withoutNull));
  if (parsed.success) return { model: parsed.data, terms: noTerms, readKeys: [] };
  throw refused(parsed.error.issues.flatMap((issue) => toFieldDetails(issue, `${path}.data`)));
}

function readMapped(
  { locale }: InvoiceOrder,
  { bytes, mapping }: Extract<InvoiceSource, { kind: 'mapping' }>,
): ReadInvoice {
  const { model, terms: byPath, readKeys, problems } = mapInvoice(mapping, bytes, locale);
  if (model === undefined) throw refused(problems);
  const byTerm = new Map<string, MappedValue>();
  for (const value of byPath.values()) if (!byTerm.has(value.term)) byTerm.set(value.term, value);
  return { model, terms: { byPath, byTerm }, readKeys };
}

function withTestNote(model: Invoice): Invoice {
  // Peppol allows one note, so the text becomes a part of it.
  const [first, ...others] = model.notes ?? [];
  const text = first === undefined ? testNote : `${testNote}\n${first.text}`;
  return { ...model, notes: [{ ...first, text }, ...others] };
}

function write(
  { profile, syntax, path }: InvoiceOrder,
  model: Invoice,
  terms: Terms,
): Omit<DocumentInvoice, 'readKeys'> {
  const { xml, wrong, findings } = orRefused(path, () => makeInvoice(model, profile, syntax));
  return { xml: Buffer.from(xml), warnings: accept(findings, wrong, terms) };
}

/** The warnings about an invoice that breaks no fatal rule. Throws `invoice_invalid` for any other. */
function accept(
  findings: readonly Finding[],
  wrong: readonly WrongAmount[],
  terms: Terms,
): DocumentInvoice['warnings'] {
  const fatal = findings.filter(({ severity }) => severity === 'fatal');
  const details = [
    ...wrong.map((amount) => ofAmount(amount, terms)),
    ...fatal.map((finding) => ofFinding(finding, terms)),
  ];
  if (details.length > 0) throw refused(details);
  return findings
    .slice(0, maxWarnings)
    .map(({ id, text, location }) => ({ code: 'invoice_rule', message: `${id}: ${text} (${location})` }));
}

function ofAmount({ rule, term, path, given, expected }: WrongAmount, terms: Terms): ErrorDetail {
  const isAmount = /^-?\d/.test(expected);
  const message =
    given === undefined
      ? `${term} (${path}) is missing.`
      : `${term} (${path}) is ${given}, but ${isAmount ? `the other amounts give ${expected}` : `must be ${expected}`}.`;
  return { type: 'Rule', rule, businessTerms: [term], location: path, message, ...expressionsOf([term], terms, path) };
}

function ofFinding({ id, text, businessTerms, location, problem }: Finding, terms: Terms): ErrorDetail {
  const message = problem === undefined ? text : `${text} (${problem})`;
  return { type: 'Rule', rule: id, businessTerms, location, message, ...expressionsOf(businessTerms, terms) };
}

/** The expressions of the mapping for these terms. */
function expressionsOf(businessTerms: readonly string[], terms: Terms, path?: string) {
  const exact = path === undefined ? undefined : terms.byPath.get(path);
  const found = businessTerms.flatMap((term) => {
    const value = exact?.term === term ? exact : terms.byTerm.get(term);
    return value === undefined ? [] : [[term, value.expression] as const];
  });
  return found.length === 0 ? {} : { expressions: Object.fromEntries(found) };
}

function refused(details: readonly ErrorDetail[]): AppError {
  const [first] = details;
  const others = details.length - 1;
  const more = others === 0 ? '' : others === 1 ? ' There is one more problem.' : ` There are ${others} more problems.`;
  const about = first === undefined ? '' : sayFirst(first);
  return new AppError('invoice_invalid', `The invoice is not valid. ${about}${more}`, {
    details: details.slice(0, maxDetails),
  });
}

function sayFirst(detail: ErrorDetail): string {
  if (detail.type === 'Rule') return `${detail.rule}: ${detail.message}`;
  return detail.type === 'Field' ? `${detail.path}: ${detail.message}` : detail.message;
}

/** Checks an invoice mapping at upload. Throws `template_invalid` with the place of each mistake. */
export function checkMapping(text: string): void {
  const { problems } = compileMapping(text);
  if (problems.length > 0)
    throw new AppError('template_invalid', 'The invoice mapping is not valid', { details: problems });
}
