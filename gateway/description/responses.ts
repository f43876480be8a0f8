import { type ErrorType, errorTable } from '../../server/index.js';
import type { Operation } from '../rest/operations.js';
import { errorExample } from './error-examples.js';
import { errorsOf, wordsOfError } from './errors.js';
import { headersOf } from './headers.js';
import { descriptionError, type Response, schemaRef } from './openapi.js';

/** Returns all answers that an operation can give. */
export function responsesOf(operation: Operation, allow: string): Record<string, Response> {
  const responses: Record<string, Response> = { [operation.successStatus]: successOf(operation) };
  for (const [status, types] of errorsOf(operation)) {
    responses[status] = {
      description: types.map(wordsOfError).join(' '),
      headers: headersOf(operation, status),
      content: {
        'application/json': {
          schema: schemaRef('ErrorResponse'),
          examples: Object.fromEntries(types.map((type) => [type, exampleOf(type)])),
        },
      },
    };
  }
  return responses;

  function exampleOf(type: ErrorType) {
    return { summary: errorTable[type].title, value: errorExample(type, operation, allow) };
  }
}

function successOf(operation: Operation): Response {
  const { successStatus: status, meta } = operation;
  const answer = { description: successWords(operation), headers: headersOf(operation, status) };
  if (status === 204) return answer;
  const name = meta.schemas?.response;
  if (name === undefined) throw descriptionError(operation, 'its answer needs the name of a schema');
  return { ...answer, content: { 'application/json': { schema: schemaRef(name) } } };
}

function successWords({ successStatus, isList, method }: Operation): string {
  if (successStatus === 204) return 'Success, without a body.';
  if (successStatus === 201) return 'Created; `Location` has its path.';
  if (isList) return 'A page of the list, empty beyond its end.';
  return method === 'GET' ? 'The resource.' : 'The updated resource.';
}
