import type { Operation } from '../rest/operations.js';

/** The parts of OpenAPI 3.0 that the description uses. */
export type Schema = {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  enum?: unknown[];
  nullable?: boolean;
  readOnly?: boolean;
  minimum?: number;
  maximum?: number;
  example?: unknown;
  [keyword: string]: unknown;
};

export type Reference = { $ref: string };

export type Header = { description: string; required?: boolean; schema: Schema };

export type MediaType = { schema: Schema; examples?: Record<string, { summary: string; value: unknown }> };

export type Response = {
  description: string;
  headers: Record<string, Reference>;
  content?: Record<string, MediaType>;
};

export type Parameter = {
  name: string;
  in: string;
  description?: string;
  required?: boolean;
  style?: string;
  explode?: boolean;
  schema: Schema;
};

export type RequestBody = { required: boolean; content: Record<string, MediaType> };

export type OperationObject = {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  deprecated?: true;
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: RequestBody;
  responses: Record<string, Response>;
  'x-required-scopes': readonly string[];
};

export type Document = {
  openapi: '3.0.3';
  info: Record<string, unknown>;
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  components: {
    schemas: Record<string, Schema>;
    headers: Record<string, Header>;
    securitySchemes: Record<string, Record<string, string>>;
  };
};

export function schemaRef(name: string): Reference {
  return { $ref: `#/components/schemas/${name}` };
}

/** Returns an error for a mistake in a procedure's annotations, which stops the start. */
export function descriptionError({ procedureName }: Pick<Operation, 'procedureName'>, why: string): Error {
  return new Error(`procedure ${procedureName}: ${why}`);
}
