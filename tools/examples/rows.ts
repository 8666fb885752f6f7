/** The data of `invoice.docx`, for `data` of a generate request. */
export type InvoiceData = {
  readonly items: readonly InvoiceItem[];
  readonly taxes: readonly { readonly rate: string; readonly base: string; readonly amount: string }[];
  readonly [key: string]: unknown;
};

export type InvoiceItem = {
  readonly position: string;
  readonly description: string;
  readonly detail: string;
  readonly quantity: string;
  readonly unit: string;
  readonly unitPrice: string;
  readonly amount: string;
};

type Product = { readonly description: string; readonly detail: string; readonly unit: string; readonly cents: number };

const products: readonly Product[] = [
  {
    description: 'Acoustic wall panel',
    detail: 'Recycled felt, moss green, 60 × 240 cm',
    unit: 'pieces',
    cents: 11_850,
  },
  { description: 'Desk “Bray”, height adjustable', detail: '1.60 × 0.80 m, ash', unit: 'pieces', cents: 64_900 },
  { description: 'Shelving, made to measure', detail: '', unit: 'metres', cents: 31_200 },
  { description: 'Installation on site', detail: 'Fitter, with tools and travel', unit: 'hours', cents: 5_800 },
  {
    description: 'Cabinet door, oak veneer',
    detail: 'Soft closing hinges, hard-wax oil finish',
    unit: 'pieces',
    cents: 18_475,
  },
  { description: 'Delivery and removal of packaging', detail: '', unit: 'trips', cents: 29_000 },
  { description: 'Upholstered bench', detail: 'Wool blend, seat height 45 cm', unit: 'pieces', cents: 42_350 },
];
const vatPercent = 23;

/** Deterministic data for `invoice.docx` with this number of line items and matching totals. */
export function invoiceData(rows: number): InvoiceData {
  const lines = Array.from({ length: rows }, (_, index) => line(index));
  const subtotal = lines.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const tax = Math.round((subtotal * vatPercent) / 100);
  return {
    ...frame,
    items: lines.map(({ item }) => item),
    subtotal: euros(subtotal),
    discount: false,
    taxes: [{ rate: `${vatPercent}%`, base: euros(subtotal), amount: euros(tax) }],
    total: euros(subtotal + tax),
  };
}

function line(index: number): { item: InvoiceItem; amountCents: number } {
  const product = products[index % products.length] ?? { description: '', detail: '', unit: '', cents: 0 };
  const quantity = 1 + ((index * 7) % 23);
  const amountCents = quantity * product.cents;
  const item = {
    position: String(index + 1),
    description: product.description,
    detail: product.detail,
    quantity: String(quantity),
    unit: product.unit,
    unitPrice: euros(product.cents),
    amount: euros(amountCents),
  };
  return { item, amountCents };
}

const euros = (cents: number): string => `€${(cents / 100).toFixed(2).replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',')}`;

const frame = {
  invoice: {
    number: '2026-0982',
    subject: 'Fit-out of the harbour offices, second and third floor',
    issued: '30 June 2026',
    due: '30 July 2026',
    orderReference: 'FW-2026-07',
  },
  customer: {
    number: 'C-10711',
    name: 'Portside Holdings plc',
    contact: 'Accounts payable',
    street: '3 Custom House Plaza',
    city: 'Dublin 1, D01 P5X3',
    country: 'Ireland',
    vatNumber: 'IE 3391027 TH',
  },
  introduction: 'For the work of the second quarter we charge as follows.',
  paid: false,
  paidOn: '',
  payment: {
    accountHolder: 'Linden Works Ltd',
    bank: 'Harbour Bank, Dublin',
    iban: 'IE34 HBRK 9311 5212 3456 78',
    bic: 'HBRKIE2D',
  },
  notes: [{ text: 'Please quote the invoice number with your payment.' }],
};
