import { existsSync } from 'node:fs';

/** Headless Chromium takes a third of the processor time of the full browser and draws the same pages. */
const programs = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/**
 * This machine's Chromium: the one in the variable `CHROMIUM`, or the one that `scripts/prerequisites --tests`
 * installs.
 */
export const findBrowser = (): string => process.env.CHROMIUM ?? programs.find(existsSync) ?? 'chromium';
