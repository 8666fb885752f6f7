/** Formats JSON with one value per line; other text is unchanged. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The id of the document that an event is about, if any. */
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
