import type { Document } from './openapi.js';

const overview = `
Whereabouts knows the things of an organization, the places they can be at, and where the readers saw them last.

**Credential.** Send an API key as \`Authorization: Bearer <token>\`. \`x-required-scopes\` lists what an operation needs.

**Answers.** One resource comes as \`data\`, a list as \`data\` with \`limit\`, \`offset\` and \`total_count\`. Instants are in
UTC and have three decimals. New fields, error types and codes can come with any release.

**Refusals.** Whatever is not a success is an \`ErrorResponse\`. Quote its \`request_id\` when you ask for help.

**Budget.** Each key has a number of requests for a stretch of time; every answer says how much of it is left.
`.trim();

/** Head of the document: what the API is, and where it answers. */
export function aboutService(baseUrl: string): Pick<Document, 'info' | 'servers'> {
  return {
    info: {
      title: 'Whereabouts API',
      version: '1.0.0',
      description: overview,
      contact: { name: 'Whoever runs this service', url: baseUrl },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: serverUrl(baseUrl), description: 'This service.' }],
  };
}

/**
 * The address as it is set; a service that was given none of its own answers where the document was fetched, since
 * `localhost` is another machine for every reader.
 */
function serverUrl(baseUrl: string): string {
  const { hostname, pathname } = new URL(baseUrl);
  return hostname === 'localhost' ? pathname : baseUrl;
}
