import { ContractError, rateLimited } from '../../server/index.js';
import { addressBudgetKey } from '../caller-limiter.js';
import type { Exchange } from '../exchange.js';
import type { RateLimiter } from '../rate-limit.js';
import { sendError, setBudgetHeaders } from '../rest/respond.js';

/** The description in its two formats. */
export type RenderedDescription = { json: string; renderYaml(): Promise<string> };

const canonical = '/api/openapi';
const formats = { json: 'application/json', yaml: 'application/yaml' } as const;

/**
 * Creates a handler of the description's own paths and the old ones that redirect there (contract 10). It returns false
 * for other paths, and needs no credential.
 */
export function createDescriptionHandler({
  description,
  limiter,
}: {
  description: RenderedDescription;
  limiter: RateLimiter;
}): (exchange: Exchange) => boolean {
  const json = Buffer.from(description.json);
  let yaml: Promise<Buffer> | undefined;

  async function bodyOf(format: keyof typeof formats): Promise<Buffer> {
    if (format === 'json') return json;
    yaml ??= description.renderYaml().then((text) => Buffer.from(text));
    return yaml;
  }

  return (exchange) => {
    const match = /^(|\/api|\/api\/v1)\/openapi\.(json|yaml)$/.exec(exchange.instance);
    if (!match) return false;
    exchange.route = `${match[1]}/openapi.${match[2]}`;
    void answer(exchange, { prefix: match[1] ?? '', format: match[2] as keyof typeof formats });
    return true;
  };

  async function answer(
    exchange: Exchange,
    { prefix, format }: { prefix: string; format: keyof typeof formats },
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
      response.setHeader('Location', `${canonical}.${format}${query}`);
      response.setHeader('Content-Length', 0);
      response.end();
      return;
    }
    response.statusCode = 200;
    response.setHeader('Content-Type', formats[format]);
    const body = await bodyOf(format);
    response.setHeader('Content-Length', body.length);
    response.end(body);
  }
}
