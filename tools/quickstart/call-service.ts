export interface Service {
  readonly url: string;
  readonly apiKey: string;
}

export async function callService({ url, apiKey }: Service, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${apiKey}`);
  const answer = await fetch(`${url}${path}`, { ...init, headers });
  if (!answer.ok)
    throw new Error(`${init.method ?? 'GET'} ${path} responded with ${answer.status}: ${await answer.text()}`);
  return answer;
}
