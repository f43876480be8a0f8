import { expect, test } from 'vitest';
import { createClient } from '../../clients/typescript/src/index.js';

// The text was taken for an error of the API, so type, status and message were undefined.
test.each(['{"error":"upstream connect error"}', '{"error":{"code":502}}', '{"message":"Bad Gateway"}', 'null'])(
  'the TypeScript client reports an error page in JSON as an unrecognized response: %s',
  async (text) => {
    const client = createClient({
      baseUrl: 'https://things.example.org',
      token: 'key',
      fetch: async () => new Response(text, { status: 502 }),
      attemptsMax: 1,
    });
    const message = 'HTTP 502 from https://things.example.org, with a body that is not an error of the API';
    await expect(client.listAssets()).rejects.toMatchObject({ type: 'unrecognized_response', status: 502, message });
  },
);
