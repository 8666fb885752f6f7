/** JSON with a line for each value; any other text as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The document of an event, if it is about one. */
export function documentOf(body: string): string | undefined {
  let event: { readonly data?: { readonly id?: unknown; readonly documentId?: unknown } } | null;
  try {
    event = JSON.parse(body) as typeof event;
  } catch {
    return undefined;
  }
  return [event?.data?.id, event?.data?.documentId].find(
    (id): id is string => typeof id === 'string' && /^doc_[0-9a-z]{26}$/.test(id),
  );
}
