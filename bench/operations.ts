import type { Samples } from './seed.js';

/** One measured operation. */
export type Operation = {
  readonly name: string;
  /** Complete HTTP requests, the same for service and baseline. */
  readonly requests: readonly string[];
  /**
   * Reads return the same bytes. For a write, values that the server chooses are ignored, such as an id or an instant.
   */
  readonly answers: 'same bytes' | 'same but for what the server chooses';
  readonly targets: { readonly ratioMin?: number; readonly p99MsMax?: number };
};

const pageP99MsMax = 50;
const ratioMin = 0.6;
const deepShare = 0.5;

export type OperationOptions = {
  readonly token: string;
  readonly samples: Samples;
  /** The number of assets: a deep page begins in the middle of them. */
  readonly assets: number;
};

/** Returns the operations, reads first, since writes change the tables. */
export function createOperations({ token, samples, assets }: OperationOptions): Operation[] {
  const get = (path: string, headers?: string) => request({ method: 'GET', path, token, headers });
  const page = { p99MsMax: pageP99MsMax };
  const deep = Math.floor(assets * deepShare);
  const read = (name: string, requests: readonly string[], targets: Operation['targets']): Operation => ({
    name,
    requests,
    answers: 'same bytes',
    targets,
  });
  return [
    read(
      'GET asset by id',
      samples.assetIds.map((id) => get(`/api/v1/assets/${id}`)),
      { ratioMin },
    ),
    read('list of 50', [get('/api/v1/assets')], { ratioMin, ...page }),
    read('list of 50, baseline not counting', [get('/api/v1/assets', 'X-Count: kept\r\n')], page),
    read(`list of 50 at offset ${deep}`, [get(`/api/v1/assets?limit=50&offset=${deep}`)], page),
    read(
      'search (q) for a fragment',
      samples.fragments.map((fragment) => get(`/api/v1/assets?q=${encodeURIComponent(fragment)}`)),
      page,
    ),
    read('report page', [get('/api/v1/reports/asset-locations?limit=50')], page),
    read(`report page at offset ${deep}`, [get(`/api/v1/reports/asset-locations?limit=50&offset=${deep}`)], page),
    read(
      'history page',
      samples.busyAssetIds.map((id) => get(`/api/v1/assets/${id}/history?limit=50`)),
      page,
    ),
    { ...createWithoutKey(token), name: 'POST asset without a key' },
    {
      name: 'PATCH asset',
      requests: samples.assetIds.map((id) =>
        request({
          method: 'PATCH',
          path: `/api/v1/assets/${id}`,
          token,
          type: 'application/merge-patch+json',
          body: { name: 'Pump %n%', description: 'Checked %n%' },
        }),
      ),
      answers: 'same but for what the server chooses',
      targets: {},
    },
  ];
}

/** Creates an asset with a tag, whose key the server generates. */
export function createWithoutKey(token: string): Omit<Operation, 'name'> {
  const body = {
    name: 'Pump %n%',
    description: 'Made by the benchmark',
    metadata: { vendor: 'Vendor 7', price: 12 },
    tags: [{ tag_type: 'rfid', value: 'E280%n%' }],
  };
  return {
    requests: [request({ method: 'POST', path: '/api/v1/assets', token, type: 'application/json', body })],
    answers: 'same but for what the server chooses',
    targets: {},
  };
}

type RequestParts = {
  method: string;
  path: string;
  token: string;
  headers?: string | undefined;
  type?: string;
  body?: object;
};

function request({ method, path, token, headers = '', type, body }: RequestParts): string {
  const text = body ? JSON.stringify(body) : '';
  // The number takes twelve characters instead of three.
  const length = text.length + 9 * (text.split('%n%').length - 1);
  const entity = body ? `Content-Type: ${type}\r\nContent-Length: ${length}\r\n` : '';
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${headers}${entity}\r\n${text}`;
}
