import { ContractError, rateLimited } from '../../server/index.js';
import { addressBudgetKey } from '../caller-limiter.js';
import type { Exchange } from '../exchange.js';
import type { RateLimiter } from '../rate-limit.js';
import { sendError, setBudgetHeaders } from '../rest/respond.js';

/** A description in its two formats. */
export type RenderedDescription = { renderJson(): string; renderYaml(): Promise<string> };

/** The description of the API and that of the webhooks. */
export type RenderedDescriptions = Record<'openapi' | 'webhooks', RenderedDescription>;

type Format = keyof typeof formats;

const formats = { json: 'application/json', yaml: 'application/yaml' } as const;

/**
 * Creates a handler of the descriptions' own paths and the old ones that redirect there (contract 10). It returns false
 * for other paths, and needs no credential.
 */
export function createDescriptionHandler({
  descriptions,
  limiter,
}: {
  descriptions: RenderedDescriptions;
  limiter: RateLimiter;
}): (exchange: Exchange) => boolean {
  const bodies = { openapi: bodiesOf(descriptions.openapi), webhooks: bodiesOf(descriptions.webhooks) };

  return (exchange) => {
    const match =
      /^(|\/api|\/api\/v1)\/(openapi)\.(json|yaml)$/.exec(exchange.instance) ??
      /^(\/api)\/(webhooks)\.(json|yaml)$/.exec(exchange.instance);
    if (!match) return false;
    const [path, prefix, name, format] = match as unknown as [string, string, keyof typeof bodies, Format];
    exchange.route = path;
    void answer(exchange, { prefix, name, format });
    return true;
  };

  async function answer(
    exchange: Exchange,
    { prefix, name, format }: { prefix: string; name: keyof typeof bodies; format: Format },
  ): Promise<void> {
    const { request, response } = exchange;
    const budget = await limiter.take(addressBudgetKey(exchange.clientAddress));
    setBudgetHeaders(response, budget);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      sendError(exchange, new ContractError('method_not_allowed', 'Allowed methods: GET, HEAD'));
      return;
    }
    if (budget.retryAfterSeconds !== undefined) {
      sendError(exchange, rateLimited(budget.retryAfterSeconds));
      return;
    }
    if (prefix !== '/api') {
      const query = exchange.rawQuery === '' ? '' : `?${exchange.rawQuery}`;
      response.statusCode = 301;
      response.setHeader('Location', `/api/${name}.${format}${query}`);
      response.setHeader('Content-Length', 0);
      response.end();
      return;
    }
    response.statusCode = 200;
    response.setHeader('Content-Type', formats[format]);
    const body = await bodies[name](format);
    response.setHeader('Content-Length', body.length);
    response.end(body);
  }
}

/** Returns a function that renders a description in a format, once. */
function bodiesOf({ renderJson, renderYaml }: RenderedDescription): (format: Format) => Promise<Buffer> {
  const rendered: Partial<Record<Format, Promise<Buffer>>> = {};
  const render = async (format: Format) => Buffer.from(format === 'json' ? renderJson() : await renderYaml());
  return (format) => (rendered[format] ??= render(format));
}
