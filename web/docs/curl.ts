import type { Description, Operation } from './description.js';
import { onlyContent } from './description.js';
import { exampleOf, filledPath } from './example.js';

/** Returns the call as a shell command, which takes the key from `$WHEREABOUTS_KEY`. */
export function curlOf(operation: Operation, { baseUrl, schemas }: Description): string {
  const { method, path, requestBody } = operation;
  const body = onlyContent(requestBody?.content);
  const lines = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${quoted(`${baseUrl}${filledPath(path)}`)}`,
    '-H "Authorization: Bearer $WHEREABOUTS_KEY"',
  ];
  if (body) {
    lines.push(`-H ${quoted(`Content-Type: ${body.type}`)}`);
    lines.push(`-d ${quoted(JSON.stringify(exampleOf(body.media, schemas), null, 2))}`);
  }
  return lines.join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
