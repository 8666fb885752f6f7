/** Elements that are left out with all they hold. */
export const droppedElements: ReadonlySet<string> = new Set(
  (
    'script style template noscript noembed noframes iframe object embed applet audio video canvas svg math head title ' +
    'select datalist img input'
  ).split(' '),
);

/** Elements that begin and end a line; all others that are not known by name stand within the text. */
export const blockElements: ReadonlySet<string> = new Set(
  (
    'p div center section article header footer main nav aside address figure figcaption details summary dialog fieldset ' +
    'legend form hgroup search menu dl dt dd li ul ol blockquote pre h1 h2 h3 h4 h5 h6 caption option optgroup'
  ).split(' '),
);
