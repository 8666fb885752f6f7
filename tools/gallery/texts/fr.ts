import type { Clause, Texts } from './en.ts';

const money = (value: string): string => `{${value} | numberPicture:"#,##0.00\u202f€":"fr"}`;
const number = (value: string): string => `{${value} | numberPicture:"#,##0.##":"fr"}`;
const longDate = (value: string): string => `{${value} | datePicture:"d MMMM yyyy":"fr"}`;

const clauses: readonly Clause[] = [
  {
    title: 'Objet',
    lines: [
      'Le Prestataire réalise pour le Client les prestations décrites ci-dessous, avec le soin et la diligence d’un professionnel.',
      'Il organise son travail librement et reste seul responsable de son personnel.',
    ],
    hasServices: true,
  },
  {
    title: 'Durée et résiliation',
    lines: [
      `Le contrat prend effet le ${longDate('start')}{#end} et prend fin le ${longDate('end')}{/}{^end} et est conclu pour une durée indéterminée{/}.`,
      `Chaque partie peut y mettre fin par lettre recommandée avec un préavis de ${number('noticeWeeks')} semaines.`,
      'En cas de manquement grave auquel il n’est pas remédié dans les quinze jours suivant une mise en demeure, le contrat peut être résilié de plein droit.',
    ],
  },
  {
    title: 'Prix et paiement',
    lines: [
      'Le Client règle les prix indiqués ci-dessus, majorés de la TVA au taux en vigueur.',
      `Le Prestataire facture chaque mois à terme échu. Les factures sont payables à ${number('paymentDays')} jours.`,
      {
        when: '#expenseLimit',
        text: `Les frais sont remboursés sur justificatifs, dans la limite de ${money('expenseLimit')} par mois.`,
      },
    ],
  },
  {
    title: 'Confidentialité',
    when: '#isConfidential',
    lines: [
      'Chaque partie garde confidentielles les informations de l’autre partie et ne les utilise que pour l’exécution du présent contrat.',
      `Cette obligation demeure pendant ${number('confidentialYears')} ans après la fin du contrat. Elle ne s’applique pas aux informations publiques ou dont la loi impose la communication.`,
    ],
  },
  {
    title: 'Propriété intellectuelle',
    lines: [
      'Après paiement intégral, le Prestataire cède au Client l’ensemble des droits d’exploitation sur les résultats des prestations, pour le monde entier et pour la durée légale de protection.',
      'Il conserve ses droits sur les outils et le savoir-faire antérieurs, et accorde au Client le droit non exclusif de les utiliser avec les résultats.',
    ],
  },
  {
    title: 'Données personnelles',
    lines: [
      'Si le Prestataire traite des données personnelles pour le compte du Client, les parties signent au préalable l’accord prévu à l’article 28 du RGPD.',
    ],
  },
  {
    title: 'Responsabilité',
    lines: [
      'La responsabilité de chaque partie est limitée aux dommages directs et au montant des prestations facturées au cours des douze mois précédant le fait générateur.',
      'Cette limite ne s’applique ni en cas de faute lourde ou de dol, ni aux dommages corporels.',
    ],
  },
  {
    title: 'Dispositions générales',
    lines: [
      'Toute modification du contrat fait l’objet d’un avenant signé par les deux parties.',
      'La nullité d’une clause n’entraîne pas celle des autres.',
      'Le contrat est soumis au droit français. Tout litige relève des tribunaux du siège du Prestataire.',
    ],
  },
];

export const fr: Texts = {
  locale: 'fr-FR',
  money,
  number,
  rate: (value) => `${number(value)}\u202f%`,
  date: (value) => `{${value} | date:"dd/MM/yyyy"}`,
  longDate,
  month: (value) => `{${value} | datePicture:"MMMM yyyy":"fr" | capitalize}`,
  cityOf: (name) => `{${name}.postCode} {${name}.city}`,
  cityLines: (name) => (name === undefined ? ['{postCode} {city}'] : [`{${name}.postCode} {${name}.city}`]),

  page: 'Page [PAGE] sur [NUMPAGES]',
  addressCaption: 'Destinataire et références',
  itemsCaption: 'Lignes',
  signaturesCaption: 'Signatures',
  position: 'N°',
  description: 'Désignation',
  quantity: 'Quantité',
  unit: 'Unité',
  unitPrice: 'Prix unit. HT',
  amount: 'Montant HT',
  net: 'Total HT',
  holder: 'Titulaire du compte',
  bank: 'Banque',

  gallery: {
    invoice: {
      title: 'Facture',
      about: 'Lignes, TVA par taux et coordonnées bancaires, avec correspondance pour la facture électronique.',
    },
    quotation: { title: 'Devis', about: 'Calcule les totaux, signale les options et prévoit le bon pour accord.' },
    letter: {
      title: 'Lettre commerciale',
      about: 'Adresse pour enveloppe à fenêtre, autant de paragraphes que voulu et pièces jointes.',
    },
    'delivery-note': {
      title: 'Bon de livraison',
      about: 'Quantités commandées et livrées, expédition et accusé de réception.',
    },
    reminder: {
      title: 'Lettre de relance',
      about: 'Trois niveaux jusqu’à la mise en demeure, factures impayées, frais et pénalités.',
    },
    contract: {
      title: 'Contrat de prestation de services',
      about: 'Articles numérotés, certains sous condition, et signatures.',
    },
    report: {
      title: 'Rapport d’avancement',
      about: 'Chiffres clés, sections libres et actions avec un statut en couleur.',
    },
    certificate: {
      title: 'Attestation de formation',
      about: 'Une page encadrée en format paysage pour les formations.',
    },
    payslip: {
      title: 'Bulletin de paie',
      about: 'Rémunération, cotisations salariales et patronales, net à payer et cumuls.',
    },
    labels: {
      title: 'Étiquettes d’adresse',
      about: 'Planches de 21 étiquettes, 63,5 × 38,1 mm (L7160), autant que nécessaire.',
    },
  },

  invoice: {
    heading: 'Facture {number}',
    number: 'Facture n°',
    date: 'Date de facture',
    delivered: 'Date de livraison',
    due: 'Échéance',
    customer: 'N° client',
    reference: 'Votre commande',
    customerVatId: 'Votre n° de TVA',
    vat: 'TVA',
    vatLine: (rate, base) => `TVA ${rate} sur ${base}`,
    total: 'Total TTC à payer',
    payment: 'Règlement',
    pay: (total, due) => `Merci de régler **${total}** par virement au plus tard le **${due}**.`,
    reason: 'Référence',
  },

  quotation: {
    heading: 'Devis {number}',
    number: 'Devis n°',
    date: 'Date',
    validUntil: 'Valable jusqu’au',
    customer: 'N° client',
    contact: 'Votre interlocuteur',
    optional: '(en option)',
    vat: (rate) => `TVA ${rate}`,
    total: 'Total TTC',
    terms: 'Conditions',
    acceptance: 'Bon pour accord',
    accept: (number, until) =>
      `Pour accepter le devis ${number}, merci de nous retourner cette page signée avant le ${until}, avec la mention « Bon pour accord ».`,
    placeAndDate: 'Lieu et date',
    nameAndSignature: 'Nom et signature',
  },

  letter: {
    date: 'Date',
    ourReference: 'Nos références',
    contact: 'Interlocuteur',
    direct: 'Ligne directe',
    closing: 'Nous vous prions d’agréer, {salutation} l’expression de nos salutations distinguées.',
    enclosures: 'Pièces jointes',
  },

  deliveryNote: {
    heading: 'Bon de livraison {number}',
    number: 'Bon de livraison n°',
    date: 'Date d’expédition',
    order: 'Votre commande',
    orderDate: 'Date de commande',
    customer: 'N° client',
    article: 'Référence',
    ordered: 'Commandé',
    delivered: 'Livré',
    remainder: 'Les quantités manquantes feront l’objet d’une livraison ultérieure, sans frais supplémentaires.',
    shipment: 'Expédition',
    carrier: 'Transporteur',
    tracking: 'N° de suivi',
    packages: 'Colis',
    weight: 'Poids',
    receipt: 'Réception',
    received: 'Marchandises reçues au complet et en bon état, sauf réserves suivantes\u202f:',
    placeAndDate: 'Lieu et date',
    nameAndSignature: 'Nom et signature',
  },

  reminder: {
    titles: ['Relance', 'Deuxième relance', 'Mise en demeure de payer'],
    number: 'Dossier n°',
    date: 'Date',
    customer: 'N° client',
    contact: 'Votre interlocuteur',
    levels: [
      [
        'Sauf erreur de notre part, les factures suivantes sont arrivées à échéance et n’ont pas encore été réglées. Nous vous remercions de bien vouloir procéder à leur paiement dans les prochains jours.',
      ],
      ['Malgré notre première relance, nous n’avons pas reçu le règlement des factures suivantes.'],
      [
        'Malgré nos relances, les factures suivantes restent impayées. Par la présente, nous vous mettons en demeure de les régler.',
        'À défaut de paiement intégral à la date indiquée ci-dessous, nous engagerons une procédure judiciaire sans autre avis. Les frais seront à votre charge.',
      ],
    ],
    caption: 'Factures impayées',
    invoice: 'Facture',
    invoiceDate: 'Date',
    due: 'Échéance',
    overdue: 'Jours de retard',
    amount: 'Montant TTC',
    open: 'Reste dû',
    openSum: 'Factures impayées',
    fee: 'Indemnité de recouvrement',
    interest: 'Pénalités de retard',
    total: 'Total à payer',
    payment: 'Règlement',
    pay: (until) => `Merci de régler ce montant par virement au plus tard le **${until}**.`,
    reason: 'Référence',
    payBy: 'À régler avant le',
    crossed:
      'Si votre règlement s’est croisé avec ce courrier, merci de ne pas en tenir compte. Pour toute question sur une facture, nous restons à votre disposition.',
    closing: 'Nous vous prions d’agréer, {salutation} nos salutations distinguées.',
  },

  contract: {
    subtitle: (number, date) => `N° ${number} du ${date}`,
    between: 'Le présent contrat est conclu entre',
    parties: 'Parties',
    client: 'Le Client',
    contractor: 'Le Prestataire',
    represented: (name) => `représenté par ${name}`,
    services: 'Prestations et prix',
    service: 'Prestation',
    price: 'Prix HT',
    clauses,
    signed: 'Fait en deux exemplaires originaux, un pour chaque partie.',
    placeAndDate: 'Lieu, date et signature',
  },

  report: {
    facts: 'À propos de ce rapport',
    period: 'Période',
    date: 'Date',
    author: 'Rédaction',
    recipient: 'Destinataire',
    summary: 'Synthèse',
    figures: 'Chiffres clés',
    figure: 'Indicateur',
    target: 'Prévu',
    actual: 'Réalisé',
    change: 'Écart',
    actions: 'Prochaines étapes',
    action: 'Action',
    owner: 'Responsable',
    due: 'Échéance',
    status: 'Statut',
    states: { done: 'Terminé', open: 'En cours', late: 'En retard' },
  },

  certificate: {
    heading: 'Attestation de formation',
    awarded: 'Nous attestons que',
    completed: 'a suivi avec succès la formation',
    held: (from, to, hours) => `du ${from} au ${to} · ${hours} heures`,
    grade: 'Résultat\u202f: {grade}',
    footer: (number, date, city) => `Attestation n° ${number} · ${city}, le ${date}`,
  },

  payslip: {
    heading: 'Bulletin de paie',
    facts: [
      ['Matricule', 'employee.number'],
      ['N° de sécurité sociale', 'employee.socialSecurityNumber'],
      ['Emploi', 'employee.position'],
      ['Classification', 'employee.classification'],
      ['Date d’entrée', 'employee.since'],
      ['Date de paiement', 'payDate'],
    ],
    earnings: 'Rémunération',
    rate: 'Taux',
    amount: 'Montant',
    gross: 'Salaire brut',
    deductions: 'Cotisations et contributions',
    base: 'Base',
    percentage: 'Taux',
    employee: 'Part salarié',
    employer: 'Part employeur',
    net: 'Net payé',
    yearToDate: 'Cumuls annuels',
    toDate: {
      gross: 'Brut cumulé',
      tax: 'Impôt prélevé cumulé',
      social: 'Net imposable cumulé',
      net: 'Net payé cumulé',
    },
    paid: (date, account) => `Virement le ${date} sur le compte ${account}.`,
    notice:
      'Dans votre intérêt, et pour vous aider à faire valoir vos droits, conservez ce bulletin de paie sans limitation de durée. Informations sur www.service-public.fr.',
  },

  labels: { caption: 'Étiquettes' },
};
