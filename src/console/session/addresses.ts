/**
 * Scripts are in `assets`, one folder below the console, which is one below the service. This also holds behind a proxy
 * that adds a prefix.
 */
const folderAbove = '../';
const consoleUrl = new URL(folderAbove, import.meta.url);

/** The path of the console without a trailing slash, such as `/console`. */
export const consolePath = consoleUrl.pathname.replace(/\/$/, '');

/** The address of the service without a trailing slash. */
export const serviceUrl = new URL('..', consoleUrl).href.replace(/\/$/, '');
