import { readSchematron, type Schema } from './read-schematron.ts';

const folder = 'packages/einvoice/rules';

/** The rule sets in the order in which an invoice is checked, by the name of their generated file. */
export const ruleSources = {
  'en16931-cii': () => readSchematron(`${folder}/en16931/EN16931-CII-validation-preprocessed.sch`),
  'en16931-ubl': () => readSchematron(`${folder}/en16931/EN16931-UBL-validation-preprocessed.sch`),
  'xrechnung-cii': () =>
    readSchematron(`${folder}/xrechnung/XRechnung-CII-validation.sch`, { '../common.sch': 'variables.sch' }),
} as const satisfies Record<string, () => Schema>;
