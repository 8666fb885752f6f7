export const service = { url: '', apiKey: '' };

/** Sends a request of Orval's client: adds the address and the key, and reads files as bytes. */
export async function request<T>(path: string, options: RequestInit): Promise<T> {
  const headers = new Headers(options.headers);
  headers.set('Authorization', `Bearer ${service.apiKey}`);
  const response = await fetch(service.url + path, { ...options, headers });
  const type = response.headers.get('Content-Type') ?? '';
  const data: unknown = type.startsWith('application/json') ? await response.json() : await response.blob();
  return { status: response.status, headers: response.headers, data } as T;
}
