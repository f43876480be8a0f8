import type { Operation } from './operations.js';

const samples = 25;

/** Fields of a write's answer that the server chooses. */
const chosen = new Set([
  'id',
  'external_key',
  'valid_from',
  'created_at',
  'updated_at',
  'name',
  'description',
  'value',
]);

/**
 * Sends the same requests to service and baseline, and stops the run if the answers differ: a rate is worth nothing if
 * the answers are wrong.
 *
 * @throws Error with both answers
 */
export async function compareAnswers(operation: Operation, servicePort: number, baselinePort: number): Promise<void> {
  for (let sample = 0; sample < samples; sample += 1) {
    const request = operation.requests[Math.floor(Math.random() * operation.requests.length)] ?? '';
    const service = await ask(servicePort, request);
    const baseline = await ask(baselinePort, request);
    const same =
      operation.answers === 'same bytes'
        ? service.body === baseline.body
        : withoutChosen(service.body) === withoutChosen(baseline.body);
    if (same && service.status === baseline.status && service.status < 300) continue;
    const answers = [service, baseline].map(({ status, body }) => `${status} ${body.slice(0, 2000)}`);
    throw new Error(`service and baseline answer differently to\n${request}\n${answers.join('\n')}`);
  }
}

let asked = 0;

async function ask(port: number, request: string): Promise<{ status: number; body: string }> {
  asked += 1;
  const [head = '', body] = request.replaceAll('%n%', `9${String(asked).padStart(11, '0')}`).split('\r\n\r\n');
  const [line = '', ...headers] = head.split('\r\n');
  const [method = 'GET', path = '/'] = line.split(' ');
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: headers
      .filter((header) => !/^(?:Host|Content-Length):/.test(header))
      .map((header) => header.split(': ', 2) as [string, string]),
    ...(body && { body }),
  });
  return { status: response.status, body: await response.text() };
}

function withoutChosen(body: string): string {
  return JSON.stringify(JSON.parse(body), (key, value: unknown) => (chosen.has(key) ? typeof value : value));
}
