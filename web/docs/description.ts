import { type Document, type MediaType, type Method, methods, type OperationObject, type Schema } from './openapi.js';

export type Operation = OperationObject & { method: Method; path: string; tag: string };

export type Group = { name: string; description: string | undefined; operations: Operation[] };

export type Description = {
  title: string;
  version: string;
  about: string;
  /** Where the paths begin, without a slash at its end. */
  baseUrl: string;
  groups: Group[];
  schemas: Record<string, Schema>;
  headers: NonNullable<Document['components']['headers']>;
};

export class DescriptionError extends Error {}

/** Asks the service for its own description. */
export async function fetchDescription(signal: AbortSignal): Promise<Description> {
  const answer = await fetch('/api/openapi.json', { signal });
  if (!answer.ok) throw new DescriptionError(`The service answered ${answer.status} ${answer.statusText}`);
  return arrange((await answer.json()) as Document, location.origin);
}

function arrange({ info, servers, tags, paths, components }: Document, origin: string): Description {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method): Operation[] => {
      const operation = item[method];
      return operation ? [{ ...operation, method, path, tag: operation.tags?.[0] ?? 'other' }] : [];
    }),
  );
  const names = new Set([...(tags ?? []).map(({ name }) => name), ...operations.map(({ tag }) => tag)]);
  return {
    title: info.title,
    version: info.version,
    about: info.description ?? '',
    baseUrl: new URL(servers?.[0]?.url ?? '/', origin).href.replace(/\/+$/, ''),
    groups: [...names].map((name) => ({
      name,
      description: tags?.find((tag) => tag.name === name)?.description,
      operations: operations.filter(({ tag }) => tag === name),
    })),
    schemas: components.schemas,
    headers: components.headers ?? {},
  };
}

/** Returns the only content of a body or an answer, with its media type. */
export function onlyContent(
  content: Record<string, MediaType> | undefined,
): { type: string; media: MediaType } | undefined {
  const [first] = Object.entries(content ?? {});
  return first && { type: first[0], media: first[1] };
}

export function isSuccess(status: string): boolean {
  return status.startsWith('2');
}
