/**
 * The service's name, icon and help page, which the operator may have set. The page has them as standard elements. Read
 * once, because relative addresses depend on the path of the page, which changes.
 */
const find = (selector: string): Element | null => document.querySelector(selector);

const icon = find('link[rel="icon"]');
const help = find('link[rel="help"]');

export const brand = {
  name: find('meta[name="application-name"]')?.getAttribute('content') ?? 'Docmill',
  iconUrl: icon instanceof HTMLLinkElement ? icon.href : '',
  helpUrl: help instanceof HTMLLinkElement ? help.href : undefined,
};
