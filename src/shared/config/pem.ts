import { createPrivateKey, X509Certificate } from 'node:crypto';
import { z } from 'zod';

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function hasCertificates(text: string): boolean {
  const found = text.match(certificate) ?? [];
  try {
    for (const each of found) new X509Certificate(each);
    return found.length > 0;
  } catch {
    return false;
  }
}

function isPrivateKey(text: string): boolean {
  try {
    createPrivateKey(text);
    return true;
  } catch {
    return false;
  }
}

/** One or more certificates, such as a chain or a bundle of authorities. */
export const certificates = z.string().refine(hasCertificates, 'must be certificates in PEM').optional();

export const privateKey = z.string().refine(isPrivateKey, 'must be a private key in PEM without a password').optional();
