import { signatures } from '../signatures.ts';
import { colors } from '../styles.ts';
import type { Texts } from '../texts/en.ts';
import { gap, type Page, paragraph, section } from '../word.ts';

/** One landscape page in a frame. */
export function certificate(texts: Texts): Page {
  const { certificate: own, longDate, number } = texts;
  const margin = 2268;
  const body = [
    paragraph('Wordmark', '{sender.name}', { align: 'center', after: 40 }),
    paragraph('Small', '{sender.tagline}', { align: 'center', after: 560 }),
    paragraph('CertificateKind', own.heading),
    paragraph('CertificateText', own.awarded),
    paragraph('CertificateName', '{participant}'),
    paragraph('CertificateText', own.completed),
    paragraph('CertificateCourse', '{course.title}'),
    paragraph('CertificateText', own.held(longDate('course.from'), longDate('course.to'), number('course.hours'))),
    section('#grade', paragraph('CertificateText', own.grade), 'CertificateText'),
    gap(360),
    signatures(
      texts,
      ['**{instructor.name}**\n{instructor.role}', '**{director.name}**\n{director.role}'],
      16838 - 2 * margin,
      'center',
    ),
  ];
  return {
    body: body.join(''),
    footer: paragraph('Footer', own.footer('{number}', longDate('date'), '{sender.city}'), { align: 'center' }),
    isLandscape: true,
    margins: [1474, margin, 1247, margin],
    footerDistance: 964,
    frame: colors.accent,
  };
}
