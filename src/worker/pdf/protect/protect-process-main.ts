import { randomBytes } from 'node:crypto';
import { PDF } from '@libpdf/core';
import { serveRequests } from '../../supervisor/serve-requests.ts';
import type { ProtectAnswer, ProtectRequest } from './messages.ts';
import { toEncryption } from './protection.ts';

serveRequests<ProtectRequest, ProtectAnswer>('docmill-protect', async ({ pdf: file, protection }) => {
  try {
    const pdf = await PDF.load(file);
    // The library repairs damaged files, but may find no pages.
    if (pdf.getPageCount() === 0) throw new Error('it has no pages');
    pdf.setProtection(toEncryption(protection, randomBytes(24).toString('base64')));
    return { kind: 'made', pdf: await pdf.save() };
  } catch (error) {
    return { kind: 'unreadable', reason: String(error) };
  }
});
