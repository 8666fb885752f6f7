/** The peer's response to a request of a multipart upload. */
export interface UploadAnswer {
  readonly status: number;
  readonly body: string;
  readonly etag?: string;
}

/** Multipart uploads of an S3 peer. */
export interface PeerUploads {
  readonly unfinished: number;
  /** Undefined if the request does not belong to a multipart upload. */
  handle(method: string, url: URL, key: string, bytes: Buffer): UploadAnswer | undefined;
}

export function createPeerUploads(objects: Map<string, Buffer>): PeerUploads {
  const uploads = new Map<string, Map<number, Buffer>>();
  let count = 0;
  const gone: UploadAnswer = { status: 404, body: '<Error><Code>NoSuchUpload</Code><Message>gone</Message></Error>' };
  return {
    get unfinished() {
      return uploads.size;
    },
    handle(method, url, key, bytes) {
      if (method === 'POST' && url.searchParams.has('uploads')) {
        count += 1;
        uploads.set(`upload-${count}`, new Map());
        return { status: 200, body: inXml('InitiateMultipartUploadResult', `<UploadId>upload-${count}</UploadId>`) };
      }
      const id = url.searchParams.get('uploadId');
      if (id === null) return undefined;
      const parts = uploads.get(id);
      if (parts === undefined) return gone;
      if (method === 'PUT') {
        const part = Number(url.searchParams.get('partNumber'));
        parts.set(part, bytes);
        return { status: 200, body: '', etag: `"part-${part}-${bytes.length}"` };
      }
      uploads.delete(id);
      if (method === 'DELETE') return { status: 204, body: '' };
      const inOrder = [...parts].sort(([a], [b]) => a - b).map(([, part]) => part);
      objects.set(key, Buffer.concat(inOrder));
      const place = `<Location>${key}</Location><Bucket>bucket</Bucket><Key>${key}</Key>`;
      return { status: 200, body: inXml('CompleteMultipartUploadResult', `${place}<ETag>"whole"</ETag>`) };
    },
  };
}

function inXml(name: string, content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><${name}>${content}</${name}>`;
}
