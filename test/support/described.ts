import { get } from 'node:http';
import type { Document, OperationObject, Response } from '../../gateway/description/openapi.js';
import { errorTable } from '../../server/kernel/errors.js';
import type { Answer } from './answer.js';
import { createStrictValidator, type StrictValidator } from './strict-validator.js';

/** One request and what came back for it; `path` with its query. */
type Exchange = { method: string; path: string; answer: Answer };

type Description = {
  document: Document;
  validate: StrictValidator;
  /** The paths as patterns, parameters matching any segment. */
  paths: { pattern: RegExp; operations: Record<string, OperationObject> }[];
};

const descriptions = new Map<string, Promise<Description>>();

/** By the text that was served: the services of a test file mostly serve the same, and compiling schemas is slow. */
const parsed = new Map<string, Description>();

/**
 * Checks an answer below `/api/v1` against the description that the same service serves, and throws with every
 * difference: a status, header or property that is not declared, one that is declared and missing, a body where there
 * should be none. Stricter than a client may be: clients must accept properties that a later release adds, this check
 * does not.
 */
export async function requireDescribed(url: string, { method, path, answer }: Exchange): Promise<void> {
  const { pathname } = new URL(`${url}${path}`);
  if (!/^\/api\/v1(?:\/|$)/.test(pathname) || /^\/api\/v1\/openapi\.(?:json|yaml)$/.test(pathname)) return;
  const loading = descriptions.get(url) ?? load(url);
  descriptions.set(url, loading);
  const differences = differencesOf(await loading, { method, path: pathname, answer });
  if (differences.length === 0) return;
  const list = differences.map((difference) => `  ${difference}`).join('\n');
  const sample = answer.text.length > 2000 ? `${answer.text.slice(0, 2000)} …` : answer.text;
  throw new Error(`${method} ${path} answered ${answer.status} unlike its description:\n${list}\n${sample}`);
}

async function load(url: string): Promise<Description> {
  const text = await fetchAside(`${url}/api/openapi.json`);
  const description = parsed.get(text) ?? parse(text);
  parsed.set(text, description);
  return description;
}

function parse(text: string): Description {
  const document = JSON.parse(text) as Document;
  const paths = Object.entries(document.paths).map(([template, operations]) => ({
    pattern: new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
    operations,
  }));
  return { document, validate: createStrictValidator(document.components.schemas), paths };
}

/** Asks from another loopback address where there is one, as the budget of the usual one belongs to the test. */
function fetchAside(url: string, localAddress = '127.0.0.2'): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, ...(localAddress ? { localAddress } : {}) }, (response) => {
      response.setEncoding('utf8');
      let text = '';
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        response.statusCode === 200
          ? resolve(text)
          : reject(new Error(`no description: ${response.statusCode} ${text}`)),
      );
    });
    request.on('error', (error) => (localAddress ? resolve(fetchAside(url, '')) : reject(error)));
  });
}

function differencesOf(description: Description, exchange: Exchange): string[] {
  const { method, path, answer } = exchange;
  const operations = description.paths.find(({ pattern }) => pattern.test(path))?.operations;
  if (!operations)
    return [...wrongStatus(answer, 404, 'no path is described so'), ...differingRefusal(description, exchange)];
  const operation = operations[method === 'HEAD' ? 'get' : method.toLowerCase()];
  if (!operation) {
    const [sibling] = Object.values(operations);
    return [
      ...wrongStatus(answer, 405, 'the path has no such method'),
      ...(answer.headers['allow'] === allowOf(operations) ? [] : [`Allow is not ${allowOf(operations)}`]),
      ...differingResponse(description, sibling?.responses['405'], exchange),
    ];
  }
  const response = operation.responses[answer.status];
  if (response) return differingResponse(description, response, exchange);
  return [`${operation.operationId} declares ${Object.keys(operation.responses).join(', ')} and no ${answer.status}`];
}

function wrongStatus({ status }: Answer, expected: number, why: string): string[] {
  return status === expected ? [] : [`the status is not ${expected}, though ${why}`];
}

function allowOf(operations: Record<string, OperationObject>): string {
  const supported = Object.keys(operations).map((method) => method.toUpperCase());
  const order = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
  return order.filter((method) => supported.includes(method === 'HEAD' ? 'GET' : method)).join(', ');
}

/** An error outside of any operation: it has the same form as others. */
function differingRefusal(description: Description, exchange: Exchange): string[] {
  const [operation] = description.paths.flatMap(({ operations }) => Object.values(operations));
  return differingResponse(description, operation?.responses['404'], exchange);
}

function differingResponse(description: Description, response: Response | undefined, exchange: Exchange): string[] {
  if (!response) return ['there is no such answer in the description at all'];
  return [
    ...differingHeaders(description, response, exchange.answer),
    ...differingBody(description, response, exchange),
  ];
}

function differingHeaders({ document, validate }: Description, { headers }: Response, answer: Answer): string[] {
  return Object.entries(document.components.headers).flatMap(([name, { required, schema }]) => {
    const value = answer.headers[name.toLowerCase()];
    if (!headers[name]) return value === undefined ? [] : [`header ${name} is not declared for this answer`];
    if (value === undefined) return required ? [`header ${name} is declared and missing`] : [];
    const typed = schema.type === 'integer' && /^\d+$/.test(value) ? Number(value) : value;
    return validate(schema, typed).map((difference) => `header ${name}: ${difference}`);
  });
}

function differingBody({ validate }: Description, { content }: Response, exchange: Exchange): string[] {
  const { method, answer } = exchange;
  const type = answer.headers['content-type'];
  const media = type === undefined ? undefined : content?.[type];
  if (content && !media) return [`the media type is ${type}, not ${Object.keys(content).join(', ')}`];
  if (!content && type !== undefined) return [`the media type is ${type}, though no body is declared`];
  if (method === 'HEAD' || !media) return answer.text === '' ? [] : ['there is a body where there should be none'];
  if (answer.body === undefined) return ['the body is no JSON'];
  return [...validate(media.schema, answer.body), ...(answer.status >= 400 ? differingEnvelope(exchange) : [])];
}

/** What the envelope repeats of the answer around it, which no schema can say (contract 7.1). */
function differingEnvelope({ path, answer }: Exchange): string[] {
  const envelope = (answer.body as { error?: Record<string, unknown> }).error ?? {};
  const row = errorTable[envelope['type'] as keyof typeof errorTable];
  const expected = {
    status: answer.status,
    title: row?.title,
    instance: path,
    request_id: answer.headers['x-request-id'],
  };
  const differing = Object.entries(expected).filter(([key, value]) => envelope[key] !== value);
  return [
    ...(row?.status === answer.status
      ? []
      : [`the type ${JSON.stringify(envelope['type'])} does not go with the status`]),
    ...differing.map(
      ([key, value]) => `error.${key} is ${JSON.stringify(envelope[key])}, not ${JSON.stringify(value)}`,
    ),
  ];
}
