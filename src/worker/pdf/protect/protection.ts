import type { ProtectionOptions } from '@libpdf/core';
import type { PdfOptions, PdfPermissions } from '../../../shared/output-options.ts';

/** Who may open a PDF, and what readers allow without the owner password. */
export type Protection = Pick<PdfOptions, 'password' | 'permissions'>;

const levels = { none: 0, assembly: 1, forms: 2, comments: 3, all: 4 } as const;

export function isProtected({ password, permissions }: Protection): boolean {
  return password !== undefined || permissions !== undefined;
}

/**
 * Encryption options (ISO 32000-2, 7.6): AES with 256 bits, revision 6. The owner password is random and not stored, so
 * that permissions are permanent.
 */
export function toEncryption({ password, permissions }: Protection, ownerPassword: string): ProtectionOptions {
  return {
    algorithm: 'AES-256',
    ownerPassword,
    permissions: toFlags(permissions ?? {}),
    // The standard prepares passwords by RFC 4013, which is equivalent to this normalization for typical input.
    ...(password !== undefined && { userPassword: password.normalize('NFKC') }),
  };
}

function toFlags({ printing = 'high', changes = 'all', copying = true, accessibility = true }: PdfPermissions) {
  const level = levels[changes];
  return {
    print: printing !== 'none',
    printHighQuality: printing === 'high',
    assemble: level >= levels.assembly,
    fillForms: level >= levels.forms,
    annotate: level >= levels.comments,
    modify: level >= levels.all,
    copy: copying,
    accessibility,
  };
}
