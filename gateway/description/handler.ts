import type { Admission } from '../admission.js';
import type { Exchange } from '../exchange.js';
import type { Route } from '../routes.js';

/** A description in its two formats. */
export type RenderedDescription = { renderJson(): string; renderYaml(): Promise<string> };

/** The description of the API and that of the webhooks. */
export type RenderedDescriptions = Record<'openapi' | 'webhooks', RenderedDescription>;

const formats = { json: 'application/json', yaml: 'application/yaml' } as const;
type Format = keyof typeof formats;
const formatNames = ['json', 'yaml'] as const satisfies readonly Format[];

/** Creates the routes of the descriptions, and of old paths that redirect there (contract 10). They need no credential. */
export function descriptionRoutes({
  descriptions,
  admission,
}: {
  descriptions: RenderedDescriptions;
  admission: Admission;
}): Route[] {
  return formatNames.flatMap((format) => [
    document(`/api/openapi.${format}`, format, descriptions.openapi),
    document(`/api/webhooks.${format}`, format, descriptions.webhooks),
    redirect(`/openapi.${format}`, `/api/openapi.${format}`),
    redirect(`/api/v1/openapi.${format}`, `/api/openapi.${format}`),
  ]);

  /** The document is rendered when it is first requested. */
  function document(path: string, format: Format, { renderJson, renderYaml }: RenderedDescription): Route {
    let body: Promise<Buffer> | undefined;
    const render = async () => Buffer.from(format === 'json' ? renderJson() : await renderYaml());
    return get(path, async ({ response }) => {
      response.setHeader('Content-Type', formats[format]);
      const bytes = await (body ??= render());
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
