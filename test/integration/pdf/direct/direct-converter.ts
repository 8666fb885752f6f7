import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DirectConverter, openDirectConverter, type Standards, UnknownFeature } from '@docmill/layout';
import { afterAll, beforeAll, expect } from 'vitest';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { fontSettings } from '../../../../src/worker/pdf/office/font-settings.ts';

/** A function that lays out documents with LibreOffice's fonts; returns undefined for those left to LibreOffice. */
export function useDirectConverter(): (docx: Uint8Array, standards?: Standards) => Uint8Array | undefined {
  let converter: DirectConverter;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docmill-direct-'));
    const settings = join(folder, 'fonts.conf');
    await writeFile(settings, fontSettings({ drawsPictureFonts: true }));
    converter = await openDirectConverter(settings);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return (docx, standards) => {
    try {
      return converter.convert(openPackage(docx), { standards }).pdf;
    } catch (error) {
      expect(error).toBeInstanceOf(UnknownFeature);
      return undefined;
    }
  };
}
