import { randomBytes } from 'node:crypto';
import { wordNamespaces } from '@docmill/word/namespaces';
import type { DocxProtection } from '../../../shared/output-options.ts';
import { PackageAdditions } from '../core/render/package-additions.ts';
import { settingsPartOf, withSetting } from '../core/word-settings.ts';
import type { DocxPackage } from '../package/open-package.ts';
import { hashIsoPassword, hashPassword, spinCount } from './password-hash.ts';

const saltBytes = 16;

/**
 * The parts that protect a document (ECMA-376 part 1, 17.15.1.29 and 17.15.1.93), and replace its existing protection.
 */
export function protect(docx: DocxPackage, protection: DocxProtection): ReadonlyMap<string, Buffer> {
  const additions = new PackageAdditions(docx);
  const { isStrict } = additions;
  const name = settingsPartOf(docx);
  const namespace = wordNamespaces[isStrict ? 'strict' : 'transitional'];
  const settings =
    (name && docx.readText(name)) ??
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:settings xmlns:w="${namespace}"></w:settings>`;
  const changed = Buffer.from(withProtection(settings, protection, isStrict));
  if (name !== undefined) return new Map([[name, changed]]);
  const contentType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.settings+xml';
  additions.addPart(docx.mainPart, { name: 'settings.xml', contentType, kind: 'settings', bytes: changed });
  return additions.changes();
}

function withProtection(settings: string, { mode, password }: DocxProtection, isStrict: boolean): string {
  const secret = password === undefined ? '' : passwordAttributes(password, isStrict);
  if (mode === 'recommended')
    return withSetting(settings, 'writeProtection', `<w:writeProtection w:recommended="1"${secret}/>`);
  const element = `<w:documentProtection w:edit="${mode}" w:enforcement="1"${secret}/>`;
  return withSetting(settings, 'documentProtection', element);
}

function passwordAttributes(password: string, isStrict: boolean): string {
  const salt = randomBytes(saltBytes);
  const saltText = salt.toString('base64');
  if (isStrict) {
    const hash = hashIsoPassword(password, salt).toString('base64');
    return ` w:algorithmName="SHA-512" w:hashValue="${hash}" w:saltValue="${saltText}" w:spinCount="${spinCount}"`;
  }
  const hash = hashPassword(password, salt).toString('base64');
  const algorithm =
    ' w:cryptProviderType="rsaAES" w:cryptAlgorithmClass="hash" w:cryptAlgorithmType="typeAny" w:cryptAlgorithmSid="14"';
  return `${algorithm} w:cryptSpinCount="${spinCount}" w:hash="${hash}" w:salt="${saltText}"`;
}
