import { certificate } from './kinds/certificate.ts';
import { contract } from './kinds/contract.ts';
import { deliveryNote } from './kinds/delivery-note.ts';
import { invoice } from './kinds/invoice.ts';
import { labels } from './kinds/labels.ts';
import { letter } from './kinds/letter.ts';
import { payslip } from './kinds/payslip.ts';
import { quotation } from './kinds/quotation.ts';
import { reminder } from './kinds/reminder.ts';
import { report } from './kinds/report.ts';
import type { Texts } from './texts/en.ts';
import type { Kind } from './texts.ts';
import type { Page } from './word.ts';

/** In the order of the gallery. */
export const kinds: Readonly<Record<Kind, (texts: Texts) => Page>> = {
  invoice,
  quotation,
  letter,
  'delivery-note': deliveryNote,
  reminder,
  contract,
  report,
  certificate,
  payslip,
  labels,
};
