/** Scripts are in `assets`, one folder below the console; the console is one below the service. Also below the prefix of a proxy. */
const folderAbove = '../';
const consoleUrl = new URL(folderAbove, import.meta.url);

/** Path of the console without a slash at its end, such as `/console`. */
export const consolePath = consoleUrl.pathname.replace(/\/$/, '');

/** Address of the service without a slash at its end. */
export const serviceUrl = new URL('..', consoleUrl).href.replace(/\/$/, '');
