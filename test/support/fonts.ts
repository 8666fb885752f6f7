import { fileURLToPath } from 'node:url';

const isLinux = process.platform === 'linux';

/**
 * The fontconfig file of the tests, so that no font of the machine changes what they see. macOS keeps its own fonts.
 */
export const testFonts = isLinux ? fileURLToPath(new URL('fonts.conf', import.meta.url)) : '/etc/fonts/fonts.conf';

/** For processes that start with an environment of their own. Others have it from vitest.config.ts. */
export const fontVariables: Readonly<Record<string, string>> = isLinux ? { FONTCONFIG_FILE: testFonts } : {};
