import { existsSync } from 'node:fs';

/** Chromium without a window takes a third of the processor time of the browser that has one, and draws the same pages. */
const programs = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** The Chromium of this machine: that of the variable `CHROMIUM`, or the one that `scripts/prerequisites --tests` installs. */
export const findBrowser = (): string => process.env.CHROMIUM ?? programs.find(existsSync) ?? 'chromium';
