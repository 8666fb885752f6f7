/**
 * Words with which pages in five languages introduce a value, by business term; letters and digits only. A number or a
 * date in their row belongs to them.
 */
export const labels: Readonly<Record<string, readonly string[]>> = {
  'BT-2': [
    ...['rechnungsdatum', 'ausstellungsdatum', 'invoicedate', 'dateofissue', 'issuedate'],
    ...['datedefacture', 'datedelafacture', 'datefacture', 'datedemission', 'datafattura', 'datadellafattura'],
    ...['datadiemissione', 'dataemissione', 'fechadefactura', 'fechadelafactura', 'fechadeemision', 'fechafactura'],
  ],
  'BT-9': [
    ...[
      'faelligam',
      'falligam',
      'zahlbarbis',
      'falligkeit',
      'falligkeitsdatum',
      'duedate',
      'paymentdue',
      'datedecheance',
    ],
    ...['echeance', 'apayeravantle', 'scadenza', 'datascadenza', 'vencimiento', 'fechadevencimiento'],
  ],
  'BT-109': [
    ...['nettobetrag', 'gesamtnetto', 'summenetto', 'gesamtbetragnetto', 'nettosumme', 'nettotal', 'netamount'],
    ...['totalexcludingvat', 'totalexclvat', 'totalwithoutvat', 'totalht', 'montantht', 'totalhorstva'],
    ...['totaleimponibile', 'totalimponibile', 'totalsiniva'],
  ],
  'BT-110': [
    ...['summeust', 'summemwst', 'gesamtust', 'gesamtmwst', 'summeumsatzsteuer', 'steuerbetrag', 'ustgesamt'],
    ...[
      'totalvat',
      'vattotal',
      'totaltax',
      'totaltaxes',
      'totaltva',
      'montanttva',
      'totaleiva',
      'totaliva',
      'totalebtw',
    ],
  ],
  'BT-112': [
    ...[
      'bruttobetrag',
      'gesamtbrutto',
      'summebrutto',
      'gesamtbetragbrutto',
      'bruttosumme',
      'grosstotal',
      'grossamount',
    ],
    ...['totalincludingvat', 'totalinclvat', 'totalwithvat', 'totalttc', 'montantttc', 'totalefattura'],
    ...['totaledocumento', 'totalfactura', 'totalconiva', 'totalivaincluido'],
  ],
  'BT-115': [
    ...['zahlbetrag', 'zuzahlen', 'zuzahlenderbetrag', 'falligerbetrag', 'restbetrag', 'offenerbetrag', 'amountdue'],
    ...['balancedue', 'amountpayable', 'totaldue', 'topay', 'netapayer', 'montantapayer', 'resteapayer', 'soldedu'],
    ...['montantdu', 'totaledapagare', 'importodovuto', 'nettoapagare', 'saldodovuto', 'totalapagar', 'importeapagar'],
    ...['importeadeudado', 'importependiente'],
  ],
};

/** Other words for the total with VAT. Pages use some of them for a total without VAT, or for what is left to pay. */
export const looseLabels: readonly string[] = [
  ...[
    'rechnungsbetrag',
    'rechnungssumme',
    'rechnungsendbetrag',
    'endbetrag',
    'endsumme',
    'gesamtsumme',
    'invoicetotal',
  ],
  ...['grandtotal', 'invoiceamount', 'totalgeneral', 'totalegenerale', 'factuurbedrag', 'eindtotaal'],
];

/** Words of rows about a discount for early payment, whose date and amount are not those of the invoice. */
export const earlyPayment: readonly string[] = [
  ...['skonto', 'beizahlungbis', 'beizahlunginnerhalb', 'beizahlungbinnen', 'escompte', 'encasdepaiementavant'],
  ...['sconto', 'cashdiscount', 'earlypayment', 'promptpayment', 'settlementdiscount', 'ifpaidby', 'ifpaidwithin'],
  ...['ifyoupayby', 'prontopago', 'betalingskorting', 'kredietbeperking'],
];

/** Words of rows whose amounts are sums of a part of the invoice. */
export const partialSums: readonly string[] = [
  ...['zwischensumme', 'zwischentotal', 'ubertrag', 'soustotal', 'areporter', 'subtotal', 'subtotaal', 'subtotale'],
  ...['totaleparziale', 'riporto', 'carriedforward', 'broughtforward', 'sumaysigue', 'sumaanterior', 'tussentotaal'],
];

/** Words for VAT. */
export const vatWords: readonly string[] = [
  ...['mwst', 'ust', 'mehrwertsteuer', 'umsatzsteuer', 'vat', 'tva', 'iva', 'btw', 'tax', 'salestax', 'moms'],
];
