import type { Clause, Texts } from './en.ts';

const money = (value: string): string => `{${value} | numberPicture:"#,##0.00\u202f€":"de"}`;
const number = (value: string): string => `{${value} | numberPicture:"#,##0.##":"de"}`;
const longDate = (value: string): string => `{${value} | datePicture:"d. MMMM yyyy":"de"}`;

const clauses: readonly Clause[] = [
  {
    title: 'Leistungen',
    lines: [
      'Der Auftragnehmer erbringt die nachstehend aufgeführten Leistungen mit der Sorgfalt eines ordentlichen Kaufmanns.',
      'Arbeitszeit und Arbeitsort bestimmt der Auftragnehmer selbst, soweit die Art der Leistung nichts anderes erfordert.',
    ],
    hasServices: true,
  },
  {
    title: 'Laufzeit und Kündigung',
    lines: [
      `Der Vertrag beginnt am ${longDate('start')}{#end} und endet am ${longDate('end')}, ohne dass es einer Kündigung bedarf{/}{^end} und läuft auf unbestimmte Zeit{/}.`,
      `Er kann von jeder Partei mit einer Frist von ${number('noticeWeeks')} Wochen gekündigt werden.`,
      'Das Recht zur Kündigung aus wichtigem Grund bleibt unberührt. Jede Kündigung bedarf der Textform.',
    ],
  },
  {
    title: 'Vergütung',
    lines: [
      'Der Auftraggeber zahlt die vorstehend genannten Preise zuzüglich der gesetzlichen Umsatzsteuer.',
      `Der Auftragnehmer rechnet monatlich nachträglich ab. Rechnungen sind innerhalb von ${number('paymentDays')} Tagen ohne Abzug zahlbar.`,
      {
        when: '#expenseLimit',
        text: `Auslagen werden gegen Beleg erstattet, höchstens ${money('expenseLimit')} im Monat.`,
      },
    ],
  },
  {
    title: 'Vertraulichkeit',
    when: '#isConfidential',
    lines: [
      'Die Parteien behandeln alle nicht offenkundigen Informationen der anderen Partei vertraulich und verwenden sie nur zur Durchführung dieses Vertrags.',
      `Diese Pflicht besteht nach dem Ende des Vertrags für ${number('confidentialYears')} Jahre fort. Sie gilt nicht, soweit eine gesetzliche Pflicht zur Offenlegung besteht.`,
    ],
  },
  {
    title: 'Nutzungsrechte',
    lines: [
      'Mit vollständiger Zahlung räumt der Auftragnehmer dem Auftraggeber das ausschließliche, zeitlich und räumlich unbeschränkte Recht ein, die Arbeitsergebnisse zu nutzen.',
      'An Werkzeugen und Kenntnissen, die schon vorher bestanden, erhält der Auftraggeber ein einfaches Nutzungsrecht, soweit er es für die Arbeitsergebnisse benötigt.',
    ],
  },
  {
    title: 'Datenschutz',
    lines: [
      'Verarbeitet der Auftragnehmer personenbezogene Daten im Auftrag, so schließen die Parteien zuvor einen Vertrag nach Artikel 28 DSGVO.',
    ],
  },
  {
    title: 'Haftung',
    lines: [
      'Die Parteien haften unbeschränkt für Vorsatz und grobe Fahrlässigkeit sowie für Schäden aus der Verletzung des Lebens, des Körpers oder der Gesundheit.',
      'Bei leicht fahrlässiger Verletzung wesentlicher Vertragspflichten ist die Haftung auf den vertragstypischen, vorhersehbaren Schaden begrenzt. Im Übrigen ist sie ausgeschlossen.',
    ],
  },
  {
    title: 'Schlussbestimmungen',
    lines: [
      'Änderungen und Ergänzungen dieses Vertrags bedürfen der Textform. Mündliche Nebenabreden bestehen nicht.',
      'Ist eine Bestimmung unwirksam, so bleiben die übrigen wirksam.',
      'Es gilt deutsches Recht. Gerichtsstand ist, soweit zulässig, der Sitz des Auftragnehmers.',
    ],
  },
];

export const de: Texts = {
  locale: 'de-DE',
  money,
  number,
  rate: (value) => `${number(value)}\u202f%`,
  date: (value) => `{${value} | date:"dd.MM.yyyy"}`,
  longDate,
  month: (value) => `{${value} | datePicture:"MMMM yyyy":"de"}`,
  cityOf: (name) => `{${name}.postCode} {${name}.city}`,
  cityLines: (name) => (name === undefined ? ['{postCode} {city}'] : [`{${name}.postCode} {${name}.city}`]),

  page: 'Seite [PAGE] von [NUMPAGES]',
  addressCaption: 'Empfänger und Angaben',
  itemsCaption: 'Positionen',
  signaturesCaption: 'Unterschriften',
  position: 'Pos.',
  description: 'Bezeichnung',
  quantity: 'Menge',
  unit: 'Einheit',
  unitPrice: 'Einzelpreis',
  amount: 'Betrag',
  net: 'Nettobetrag',
  holder: 'Kontoinhaber',
  bank: 'Bank',

  gallery: {
    invoice: {
      title: 'Rechnung',
      about: 'Positionen, Umsatzsteuer nach Sätzen und Zahlungsangaben; mit Zuordnung für E-Rechnungen.',
    },
    quotation: {
      title: 'Angebot',
      about: 'Rechnet die Summen selbst, kennzeichnet Optionen und hat Felder zur Annahme.',
    },
    letter: { title: 'Geschäftsbrief', about: 'Anschrift für Fensterumschläge, beliebig viele Absätze und Anlagen.' },
    'delivery-note': {
      title: 'Lieferschein',
      about: 'Bestellte und gelieferte Mengen, Versand und Empfangsbestätigung.',
    },
    reminder: {
      title: 'Mahnung',
      about: 'Drei Mahnstufen mit eigenem Wortlaut, offene Rechnungen, Pauschale und Zinsen.',
    },
    contract: {
      title: 'Dienstleistungsvertrag',
      about: 'Nummerierte Klauseln, einige nur unter einer Bedingung, und Unterschriften.',
    },
    report: {
      title: 'Statusbericht',
      about: 'Kennzahlen, beliebig viele Abschnitte und Maßnahmen mit farbigem Status.',
    },
    certificate: { title: 'Zertifikat', about: 'Eine gerahmte Seite im Querformat für Kurse und Schulungen.' },
    payslip: {
      title: 'Lohnabrechnung',
      about: 'Bezüge, Abzüge von Arbeitnehmer und Arbeitgeber, Auszahlung und Jahreswerte.',
    },
    labels: {
      title: 'Adressetiketten',
      about: 'Bogen mit 21 Etiketten, 63,5 × 38,1 mm (L7160); so viele Bogen wie nötig.',
    },
  },

  invoice: {
    heading: 'Rechnung {number}',
    number: 'Rechnungsnummer',
    date: 'Rechnungsdatum',
    delivered: 'Leistungsdatum',
    due: 'Fällig am',
    customer: 'Kundennummer',
    reference: 'Ihr Zeichen',
    customerVatId: 'Ihre USt-IdNr.',
    vat: 'USt.',
    vatLine: (rate, base) => `${rate} USt. auf ${base}`,
    total: 'Rechnungsbetrag',
    payment: 'Zahlung',
    pay: (total, due) => `Bitte überweisen Sie **${total}** bis zum **${due}** auf dieses Konto.`,
    reason: 'Verwendungszweck',
  },

  quotation: {
    heading: 'Angebot {number}',
    number: 'Angebotsnummer',
    date: 'Datum',
    validUntil: 'Gültig bis',
    customer: 'Kundennummer',
    contact: 'Ihr Kontakt',
    optional: '(optional)',
    vat: (rate) => `zzgl. ${rate} USt.`,
    total: 'Gesamtbetrag',
    terms: 'Bedingungen',
    acceptance: 'Auftragserteilung',
    accept: (number, until) =>
      `Wenn Sie das Angebot ${number} annehmen möchten, senden Sie uns diese Seite bitte bis zum ${until} unterschrieben zurück.`,
    placeAndDate: 'Ort, Datum',
    nameAndSignature: 'Name, Unterschrift',
  },

  letter: {
    date: 'Datum',
    ourReference: 'Unser Zeichen',
    contact: 'Kontakt',
    direct: 'Durchwahl',
    closing: 'Mit freundlichen Grüßen',
    enclosures: 'Anlagen',
  },

  deliveryNote: {
    heading: 'Lieferschein {number}',
    number: 'Lieferschein',
    date: 'Lieferdatum',
    order: 'Ihre Bestellung',
    orderDate: 'Bestellt am',
    customer: 'Kundennummer',
    article: 'Artikelnummer',
    ordered: 'Bestellt',
    delivered: 'Geliefert',
    remainder: 'Noch fehlende Mengen liefern wir ohne weitere Kosten nach.',
    shipment: 'Versand',
    carrier: 'Spedition',
    tracking: 'Sendungsnummer',
    packages: 'Packstücke',
    weight: 'Gewicht',
    receipt: 'Empfangsbestätigung',
    received: 'Ware vollständig und unbeschädigt erhalten, mit Ausnahme von:',
    placeAndDate: 'Ort, Datum',
    nameAndSignature: 'Name, Unterschrift',
  },

  reminder: {
    titles: ['Zahlungserinnerung', 'Mahnung', 'Letzte Mahnung'],
    number: 'Vorgang',
    date: 'Datum',
    customer: 'Kundennummer',
    contact: 'Ihr Kontakt',
    levels: [
      [
        'sicher ist es Ihrer Aufmerksamkeit entgangen, dass die folgenden Rechnungen fällig sind. Bitte gleichen Sie sie in den nächsten Tagen aus.',
      ],
      [
        'trotz unserer Zahlungserinnerung haben wir zu den folgenden Rechnungen noch keinen Zahlungseingang festgestellt.',
      ],
      [
        'trotz mehrfacher Mahnung sind die folgenden Rechnungen noch immer offen.',
        'Geht der Gesamtbetrag nicht bis zu dem unten genannten Tag ein, werden wir ohne weitere Ankündigung gerichtliche Schritte einleiten. Dadurch entstehen Ihnen zusätzliche Kosten.',
      ],
    ],
    caption: 'Offene Rechnungen',
    invoice: 'Rechnung',
    invoiceDate: 'Datum',
    due: 'Fällig am',
    overdue: 'Tage überfällig',
    amount: 'Betrag',
    open: 'Offen',
    openSum: 'Offene Rechnungen',
    fee: 'Verzugspauschale (§ 288 BGB)',
    interest: 'Verzugszinsen',
    total: 'Gesamtbetrag',
    payment: 'Zahlung',
    pay: (until) => `Bitte überweisen Sie den Gesamtbetrag bis zum **${until}** auf dieses Konto.`,
    reason: 'Verwendungszweck',
    payBy: 'Zahlbar bis',
    crossed:
      'Haben Sie inzwischen gezahlt, so betrachten Sie dieses Schreiben bitte als gegenstandslos. Bei Fragen zu einer Rechnung rufen Sie uns gerne an.',
    closing: 'Mit freundlichen Grüßen',
  },

  contract: {
    subtitle: (number, date) => `Nr. ${number} vom ${date}`,
    between: 'Zwischen den Parteien wird der folgende Vertrag geschlossen.',
    parties: 'Parteien',
    client: 'Auftraggeber',
    contractor: 'Auftragnehmer',
    represented: (name) => `vertreten durch ${name}`,
    services: 'Leistungen und Preise',
    service: 'Leistung',
    price: 'Preis',
    clauses,
    signed: 'Dieser Vertrag wird in zwei Ausfertigungen unterzeichnet, von denen jede Partei eine erhält.',
    placeAndDate: 'Ort, Datum, Unterschrift',
  },

  report: {
    facts: 'Über diesen Bericht',
    period: 'Zeitraum',
    date: 'Stand',
    author: 'Verfasser',
    recipient: 'Für',
    summary: 'Zusammenfassung',
    figures: 'Kennzahlen',
    figure: 'Kennzahl',
    target: 'Soll',
    actual: 'Ist',
    change: 'Abweichung',
    actions: 'Nächste Schritte',
    action: 'Maßnahme',
    owner: 'Zuständig',
    due: 'Bis',
    status: 'Status',
    states: { done: 'Erledigt', open: 'In Arbeit', late: 'Überfällig' },
  },

  certificate: {
    heading: 'Zertifikat',
    awarded: 'Hiermit bescheinigen wir, dass',
    completed: 'erfolgreich an folgendem Lehrgang teilgenommen hat:',
    held: (from, to, hours) => `vom ${from} bis zum ${to} · ${hours} Stunden`,
    grade: 'Ergebnis: {grade}',
    footer: (number, date, city) => `Zertifikat Nr. ${number} · ${city}, den ${date}`,
  },

  payslip: {
    heading: 'Lohnabrechnung',
    facts: [
      ['Personalnummer', 'employee.number'],
      ['SV-Nummer', 'employee.socialSecurityNumber'],
      ['Steuerklasse', 'employee.taxCode'],
      ['Krankenkasse', 'employee.healthInsurance'],
      ['Eintritt', 'employee.since'],
      ['Auszahlung', 'payDate'],
    ],
    earnings: 'Bezüge',
    rate: 'Satz',
    amount: 'Betrag',
    gross: 'Gesamtbrutto',
    deductions: 'Abzüge',
    base: 'Grundlage',
    percentage: 'Satz',
    employee: 'Arbeitnehmer',
    employer: 'Arbeitgeber',
    net: 'Auszahlungsbetrag',
    yearToDate: 'Jahreswerte',
    toDate: {
      gross: 'Brutto seit Januar',
      tax: 'Steuern seit Januar',
      social: 'SV-Beiträge seit Januar',
      net: 'Netto seit Januar',
    },
    paid: (date, account) => `Wir überweisen den Betrag am ${date} auf das Konto ${account}.`,
    notice: '',
  },

  labels: { caption: 'Etiketten' },
};
