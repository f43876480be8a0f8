import type { Document } from './openapi.js';

const overview = `
Whereabouts tracks the assets of an organization: the locations that they can be at, and where readers saw them last.

**Authentication.** Send an API key as \`Authorization: Bearer <token>\`. \`x-required-scopes\` lists the scopes that an
operation requires.

**Responses.** A single resource is returned as \`data\`, a list as \`data\` with \`limit\`, \`offset\` and
\`total_count\`. Timestamps are in UTC with milliseconds. Any release can add fields, error types and error codes.

**Errors.** Every error is an \`ErrorResponse\`. Quote its \`request_id\` when you contact support.

**Rate limits.** Each key may send a number of requests within a period. The headers of every response report how many are left.
`.trim();

/** Returns the head of the document: the API's title and address. */
export function aboutService(baseUrl: string): Pick<Document, 'info' | 'servers'> {
  return {
    info: {
      title: 'Whereabouts API',
      version: '1.0.0',
      description: overview,
      contact: { name: 'The operator of this service', url: baseUrl },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: serverUrl(baseUrl), description: 'This service.' }],
  };
}

/**
 * Returns the configured address. By default it is the server from which the document was fetched, since `localhost`
 * means another machine to every client.
 */
function serverUrl(baseUrl: string): string {
  const { hostname, pathname } = new URL(baseUrl);
  return hostname === 'localhost' ? pathname : baseUrl;
}
