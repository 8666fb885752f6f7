import { oneLine } from './one-line.ts';

/** The subject and the paragraphs of the body in one language. `%s` is the name of the file. */
type DefaultText = readonly [subject: string, greeting: string, message: string, closing: string];

interface SenderLines {
  readonly name?: string | undefined;
  readonly helpUrl?: string | undefined;
}

const english: DefaultText = [
  'Your document: %s',
  'Hello,',
  'the document "%s" has been prepared for you. It is attached to this message.',
  'Kind regards',
];

const texts: Readonly<Record<string, DefaultText>> = {
  en: english,
  cs: [
    'Váš dokument: %s',
    'Dobrý den,',
    'připravili jsme pro vás dokument „%s“. Najdete jej v příloze.',
    'S pozdravem',
  ],
  da: ['Dit dokument: %s', 'Hej,', 'dokumentet "%s" er klar til dig. Det er vedhæftet denne besked.', 'Venlig hilsen'],
  de: [
    'Ihr Dokument: %s',
    'Guten Tag,',
    'das Dokument „%s“ wurde für Sie erstellt. Es ist dieser Nachricht beigefügt.',
    'Mit freundlichen Grüßen',
  ],
  el: [
    'Το έγγραφό σας: %s',
    'Γεια σας,',
    'το έγγραφο «%s» ετοιμάστηκε για εσάς. Επισυνάπτεται σε αυτό το μήνυμα.',
    'Με εκτίμηση',
  ],
  es: ['Su documento: %s', 'Hola:', 'El documento «%s» está listo. Se adjunta a este mensaje.', 'Un cordial saludo'],
  fi: ['Asiakirjasi: %s', 'Hei,', 'asiakirja ”%s” on valmis. Se on tämän viestin liitteenä.', 'Ystävällisin terveisin'],
  fr: [
    'Votre document : %s',
    'Bonjour,',
    'Le document « %s » a été préparé pour vous. Il est joint à ce message.',
    'Cordialement',
  ],
  hu: [
    'Az Ön dokumentuma: %s',
    'Tisztelt Címzett!',
    'A(z) „%s” dokumentum elkészült. Mellékelten küldjük.',
    'Üdvözlettel',
  ],
  it: [
    'Il suo documento: %s',
    'Buongiorno,',
    'il documento «%s» è pronto. È allegato a questo messaggio.',
    'Cordiali saluti',
  ],
  nb: [
    'Dokumentet ditt: %s',
    'Hei,',
    'dokumentet «%s» er klart. Det er vedlagt denne meldingen.',
    'Med vennlig hilsen',
  ],
  nl: [
    'Uw document: %s',
    'Hallo,',
    'het document "%s" is voor u gemaakt. Het is als bijlage toegevoegd.',
    'Met vriendelijke groet',
  ],
  pl: [
    'Dokument: %s',
    'Dzień dobry,',
    'dokument „%s” jest gotowy. Znajduje się w załączniku do tej wiadomości.',
    'Z poważaniem',
  ],
  pt: [
    'O seu documento: %s',
    'Olá,',
    'o documento "%s" está pronto. Segue em anexo a esta mensagem.',
    'Com os melhores cumprimentos',
  ],
  ro: [
    'Documentul dumneavoastră: %s',
    'Bună ziua,',
    'documentul „%s” a fost pregătit pentru dumneavoastră. Este atașat acestui mesaj.',
    'Cu stimă',
  ],
  sv: [
    'Ditt dokument: %s',
    'Hej,',
    'dokumentet ”%s” är klart. Det är bifogat till detta meddelande.',
    'Med vänlig hälsning',
  ],
  tr: ['Belgeniz: %s', 'Merhaba,', '"%s" belgesi sizin için hazırlandı. Bu iletiye eklenmiştir.', 'Saygılarımızla'],
  uk: ['Ваш документ: %s', 'Вітаємо!', 'Документ «%s» готовий. Його додано до цього повідомлення.', 'З повагою'],
};

/**
 * The default subject and plain-text body of a message, in the language of the document.
 * @param locale a BCP 47 language tag; English is used for languages without a translation
 * @param sender the operator's name and help page, which end the body
 */
export function defaultText(
  filename: string,
  locale = 'en',
  sender: SenderLines = {},
): { readonly subject: string; readonly body: string } {
  const { language } = new Intl.Locale(locale);
  const [subject, greeting, message, closing] = texts[language === 'no' ? 'nb' : language] ?? english;
  const named = (text: string) => text.replace('%s', () => oneLine(filename));
  const end = [closing, sender.name, sender.helpUrl].filter((line) => line !== undefined).join('\n');
  return { subject: named(subject), body: `${greeting}\n\n${named(message)}\n\n${end}\n` };
}
