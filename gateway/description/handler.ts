import type { Admission } from '../admission.js';
import type { Exchange } from '../exchange.js';
import type { Route } from '../routes.js';
import type { Descriptions } from './description.js';

const formats = { json: 'application/json', yaml: 'application/yaml' } as const;
type Format = keyof typeof formats;
const formatNames = Object.keys(formats) as Format[];

/** Creates the routes of the descriptions, and of old paths that redirect there (contract 10). They need no credential. */
export function descriptionRoutes({
  descriptions,
  admission,
}: {
  descriptions: Descriptions;
  admission: Admission;
}): Route[] {
  return formatNames.flatMap((format) => [
    document(`/api/openapi.${format}`, format, descriptions.openapi),
    document(`/api/webhooks.${format}`, format, descriptions.webhooks),
    redirect(`/openapi.${format}`, `/api/openapi.${format}`),
    redirect(`/api/v1/openapi.${format}`, `/api/openapi.${format}`),
  ]);

  /** The document is rendered when it is first requested. */
  function document(path: string, format: Format, build: () => object): Route {
    let body: Promise<Buffer> | undefined;
    return get(path, async ({ response }) => {
      response.setHeader('Content-Type', formats[format]);
      const bytes = await (body ??= rendered(build(), format));
      response.setHeader('Content-Length', bytes.length);
      response.end(bytes);
    });
  }

  function redirect(from: string, to: string): Route {
    return get(from, async ({ response, rawQuery }) => {
      response.statusCode = 301;
      response.setHeader('Location', rawQuery === '' ? to : `${to}?${rawQuery}`);
      response.setHeader('Content-Length', 0);
      response.end();
    });
  }

  function get(path: string, answer: Route['answer']): Route {
    return {
      method: 'GET',
      path,
      async answer(exchange: Exchange) {
        await admission.anybody(exchange);
        await answer(exchange);
      },
    };
  }
}

async function rendered(description: object, format: Format): Promise<Buffer> {
  const json = JSON.stringify(description);
  if (format === 'json') return Buffer.from(json);
  // It takes a tenth of a second, and its library as long to load, which a start need not wait for.
  const { stringify } = await import('yaml');
  // Parsed from the JSON, so that both forms have the same values and the YAML has no aliases for shared parts.
  return Buffer.from(stringify(JSON.parse(json), { lineWidth: 0, compat: 'yaml-1.1' }));
}
