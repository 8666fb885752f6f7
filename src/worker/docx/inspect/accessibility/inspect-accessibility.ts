import { attributeOf, decodeEntities, scanXml } from '@docmill/word/xml-tokens';
import type { Warning } from '../../core/warning.ts';
import type { DocxPackage } from '../../package/open-package.ts';
import { createAccessibilityFindings } from './accessibility-findings.ts';
import { inspectBody } from './inspect-body.ts';
import { readStyleFacts } from './style-facts.ts';

const stylesType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml';
const settingsType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.settings+xml';
const coreType = 'application/vnd.openxmlformats-package.core-properties+xml';

/** Finds accessibility problems of a template's documents. Skips headers and footers, which count as decoration. */
export function inspectAccessibility(source: DocxPackage): Warning[] {
  const findings = createAccessibilityFindings();
  const partOf = (type: string): string => {
    const name = source.partNames.find((part) => source.contentType(part) === type);
    return name === undefined ? '' : (source.readText(name) ?? '');
  };
  if (titleOf(partOf(coreType)) === '') findings.add('title_missing');
  const body = source.readText(source.mainPart) ?? '';
  const styles = readStyleFacts(partOf(stylesType));
  const hasLanguage =
    styles.hasLanguage || namesLanguage(partOf(settingsType), 'themeFontLang') || namesLanguage(body, 'lang');
  if (!hasLanguage) findings.add('language_missing');
  inspectBody(body, styles, findings);
  return findings.toWarnings();
}

function titleOf(core: string): string {
  let isTitle = false;
  let title = '';
  scanXml(
    core,
    ({ local, kind }) => {
      if (local === 'title') isTitle = kind === 'open';
    },
    ({ kind, start, end }) => {
      if (isTitle && kind === 'text') title += decodeEntities(core.slice(start, end));
    },
  );
  return title.trim();
}

function namesLanguage(xml: string, element: 'lang' | 'themeFontLang'): boolean {
  let isNamed = false;
  scanXml(xml, (tag) => {
    if (tag.local !== element || tag.kind === 'close' || isNamed) return;
    isNamed = ['val', 'eastAsia', 'bidi'].some((name) => (attributeOf(xml, tag, name) ?? '') !== '');
  });
  return isNamed;
}
