/** A clause of a contract: its numbered paragraphs, all or some of them under a condition. */
export interface Clause {
  readonly title: string;
  readonly lines: readonly (string | { readonly when: string; readonly text: string })[];
  /** The tag of a section, such as `#isConfidential`. */
  readonly when?: string;
  readonly hasServices?: boolean;
}

const clauses: readonly Clause[] = [
  {
    title: 'Services',
    lines: [
      'The Contractor provides the services listed below (the “Services”) with reasonable skill and care.',
      'The Contractor decides how and where the Services are performed, unless the parties agree otherwise in writing.',
    ],
    hasServices: true,
  },
  {
    title: 'Term',
    lines: [
      'This agreement begins on {start | date:"d MMMM yyyy"}{#end} and ends on {end | date:"d MMMM yyyy"}{/}{^end} and continues until it is terminated{/}.',
      'Either party may terminate it by giving {noticeWeeks | number} weeks’ notice in writing.',
      'Either party may terminate it with immediate effect if the other commits a material breach and does not remedy it within 14 days of being asked to do so.',
    ],
  },
  {
    title: 'Fees and payment',
    lines: [
      'The Client pays the fees listed above, plus value added tax at the applicable rate.',
      'The Contractor invoices monthly in arrears. Invoices are due within {paymentDays | number} days.',
      {
        when: '#expenseLimit',
        text: 'Reasonable expenses are reimbursed against receipts, up to {expenseLimit | currency:"GBP"} a month.',
      },
    ],
  },
  {
    title: 'Confidentiality',
    when: '#isConfidential',
    lines: [
      'Each party keeps confidential what it learns about the other’s business, and uses it only to perform this agreement.',
      'This obligation continues for {confidentialYears | number} years after the agreement has ended. It does not apply to information that is public or must be disclosed by law.',
    ],
  },
  {
    title: 'Intellectual property',
    lines: [
      'On full payment, the Contractor assigns to the Client all intellectual property rights in the results of the Services.',
      'The Contractor keeps the rights in tools and know-how that existed before, and grants the Client a non-exclusive, perpetual licence to use them as part of the results.',
    ],
  },
  {
    title: 'Data protection',
    lines: [
      'If the Contractor processes personal data on the Client’s behalf, the parties enter into a data processing agreement beforehand.',
    ],
  },
  {
    title: 'Liability',
    lines: [
      'Nothing in this agreement limits liability for death or personal injury caused by negligence, for fraud, or where the law does not allow it.',
      'Otherwise each party’s total liability is limited to the fees payable in the twelve months before the claim arose.',
    ],
  },
  {
    title: 'General',
    lines: [
      'Changes to this agreement must be in writing and signed by both parties.',
      'If a provision is invalid, the others remain in force.',
      'This agreement is governed by the law of England and Wales, whose courts have exclusive jurisdiction.',
    ],
  },
];

export const en = {
  locale: 'en-GB' as string,
  money: (value: string): string => `{${value} | currency:"GBP"}`,
  number: (value: string): string => `{${value} | number}`,
  rate: (value: string): string => `{${value} | number}%`,
  date: (value: string): string => `{${value} | date:"dd/MM/yyyy"}`,
  longDate: (value: string): string => `{${value} | date:"d MMMM yyyy"}`,
  month: (value: string): string => `{${value} | date:"MMMM yyyy"}`,
  cityOf: (name: string): string => `{${name}.city}, {${name}.postCode}`,
  /** The last lines of an address; without a name, of the current item. */
  cityLines: (name?: string): readonly string[] =>
    name === undefined ? ['{city}', '{postCode}'] : [`{${name}.city}`, `{${name}.postCode}`],

  page: 'Page [PAGE] of [NUMPAGES]',
  addressCaption: 'Recipient and details',
  itemsCaption: 'Items',
  signaturesCaption: 'Signatures',
  position: 'No.',
  description: 'Description',
  quantity: 'Quantity',
  unit: 'Unit',
  unitPrice: 'Unit price',
  amount: 'Amount',
  net: 'Net total',
  holder: 'Account holder',
  bank: 'Bank',

  gallery: {
    invoice: {
      title: 'Invoice',
      about: 'Items, VAT by rate and payment details, with a mapping for electronic invoices.',
    },
    quotation: { title: 'Quotation', about: 'Computes its totals, marks optional items, and has lines to accept it.' },
    letter: {
      title: 'Business letter',
      about: 'An address for window envelopes, any number of paragraphs, and enclosures.',
    },
    'delivery-note': {
      title: 'Delivery note',
      about: 'Ordered and delivered quantities, shipment, and a receipt to sign.',
    },
    reminder: {
      title: 'Payment reminder',
      about: 'Three levels with their own wording, open invoices, fee and interest.',
    },
    contract: { title: 'Service agreement', about: 'Numbered clauses, some only under a condition, and signatures.' },
    report: { title: 'Status report', about: 'Key figures, sections of any number, and actions with coloured status.' },
    certificate: { title: 'Certificate', about: 'A landscape page in a frame, for courses and trainings.' },
    payslip: { title: 'Payslip', about: 'Payments, deductions of employee and employer, net pay and totals to date.' },
    labels: {
      title: 'Address labels',
      about: 'Sheets of 21 labels, 63.5 × 38.1 mm (L7160); as many sheets as needed.',
    },
  },

  invoice: {
    heading: 'Invoice {number}',
    number: 'Invoice number',
    date: 'Invoice date',
    delivered: 'Date of supply',
    due: 'Due date',
    customer: 'Customer number',
    reference: 'Your order',
    customerVatId: 'Your VAT number',
    vat: 'VAT',
    vatLine: (rate: string, base: string): string => `VAT ${rate} on ${base}`,
    total: 'Total due',
    payment: 'Payment',
    pay: (total: string, due: string): string => `Please transfer **${total}** by **${due}** to this account.`,
    reason: 'Reference',
  },

  quotation: {
    heading: 'Quotation {number}',
    number: 'Quotation number',
    date: 'Date',
    validUntil: 'Valid until',
    customer: 'Customer number',
    contact: 'Your contact',
    optional: '(optional)',
    vat: (rate: string): string => `VAT ${rate}`,
    total: 'Total',
    terms: 'Terms',
    acceptance: 'Acceptance',
    accept: (number: string, until: string): string =>
      `To accept quotation ${number}, please sign and return this page by ${until}.`,
    placeAndDate: 'Place and date',
    nameAndSignature: 'Name and signature',
  },

  letter: {
    date: 'Date',
    ourReference: 'Our reference',
    contact: 'Contact',
    direct: 'Direct line',
    closing: 'Yours sincerely',
    enclosures: 'Enclosures',
  },

  deliveryNote: {
    heading: 'Delivery note {number}',
    number: 'Delivery note',
    date: 'Date of dispatch',
    order: 'Your order',
    orderDate: 'Order date',
    customer: 'Customer number',
    article: 'Item code',
    ordered: 'Ordered',
    delivered: 'Delivered',
    remainder: 'Quantities that are still missing follow in a separate delivery at no extra cost.',
    shipment: 'Shipment',
    carrier: 'Carrier',
    tracking: 'Tracking number',
    packages: 'Packages',
    weight: 'Weight',
    receipt: 'Receipt',
    received: 'Goods received in full and in good condition, except as noted here:',
    placeAndDate: 'Place and date',
    nameAndSignature: 'Name and signature',
  },

  reminder: {
    titles: ['Payment reminder', 'Second payment reminder', 'Final notice before legal action'] as readonly [
      string,
      string,
      string,
    ],
    number: 'Reference',
    date: 'Date',
    customer: 'Customer number',
    contact: 'Your contact',
    levels: [
      [
        'It may have escaped your attention that the following invoices are overdue. Please settle them in the next few days.',
      ],
      ['Despite our reminder we have not received your payment. The following invoices are still overdue.'],
      [
        'In spite of our reminders the following invoices remain unpaid.',
        'If we do not receive the full amount by the date below, we will start legal proceedings without further notice. This will cause you additional costs.',
      ],
    ] as readonly (readonly string[])[],
    caption: 'Open invoices',
    invoice: 'Invoice',
    invoiceDate: 'Invoice date',
    due: 'Due date',
    overdue: 'Days overdue',
    amount: 'Amount',
    open: 'Outstanding',
    openSum: 'Outstanding invoices',
    fee: 'Late payment fee',
    interest: 'Interest',
    total: 'Total due',
    payment: 'Payment',
    pay: (until: string): string => `Please transfer the total by **${until}** to this account.`,
    reason: 'Reference',
    payBy: 'Pay by',
    crossed:
      'If you have paid in the meantime, please disregard this letter. If you have a question about an invoice, please call us.',
    closing: 'Yours sincerely',
  },

  contract: {
    subtitle: (number: string, date: string): string => `No. ${number}, dated ${date}`,
    between: 'This agreement is made between',
    parties: 'Parties',
    client: 'Client',
    contractor: 'Contractor',
    represented: (name: string): string => `represented by ${name}`,
    services: 'Services and fees',
    service: 'Service',
    price: 'Fee',
    clauses,
    signed: 'The parties sign this agreement in two copies, one for each of them.',
    placeAndDate: 'Place, date and signature',
  },

  report: {
    facts: 'About this report',
    period: 'Period',
    date: 'Date',
    author: 'Author',
    recipient: 'For',
    summary: 'Summary',
    figures: 'Key figures',
    figure: 'Figure',
    target: 'Target',
    actual: 'Actual',
    change: 'Difference',
    actions: 'Next steps',
    action: 'Action',
    owner: 'Owner',
    due: 'Due',
    status: 'Status',
    states: { done: 'Done', open: 'In progress', late: 'Late' },
  },

  certificate: {
    heading: 'Certificate',
    awarded: 'This is to certify that',
    completed: 'has successfully completed the course',
    held: (from: string, to: string, hours: string): string => `from ${from} to ${to} · ${hours} hours`,
    grade: 'Result: {grade}',
    footer: (number: string, date: string, city: string): string => `Certificate no. ${number} · ${city}, ${date}`,
  },

  payslip: {
    heading: 'Payslip',
    facts: [
      ['Employee number', 'employee.number'],
      ['NI number', 'employee.socialSecurityNumber'],
      ['Tax code', 'employee.taxCode'],
      ['Department', 'employee.department'],
      ['Employed since', 'employee.since'],
      ['Payment date', 'payDate'],
    ] as readonly (readonly [string, string])[],
    earnings: 'Payments',
    rate: 'Rate',
    amount: 'Amount',
    gross: 'Gross pay',
    deductions: 'Deductions',
    base: 'Base',
    percentage: 'Rate',
    employee: 'Employee',
    employer: 'Employer',
    net: 'Net pay',
    yearToDate: 'Year to date',
    toDate: {
      gross: 'Gross pay to date',
      tax: 'Tax to date',
      social: 'National Insurance to date',
      net: 'Net pay to date',
    },
    paid: (date: string, account: string): string => `Paid on ${date} to the account ${account}.`,
    notice: '' as string,
  },

  labels: { caption: 'Labels' },
};

export type Texts = typeof en;
