/** The parts of an OpenAPI 3.0 document that the page shows. */
export type Document = {
  info: { title: string; version: string; description?: string };
  servers?: { url: string }[];
  tags?: { name: string; description?: string }[];
  paths: Record<string, Partial<Record<Method, OperationObject>>>;
  components: { schemas: Record<string, Schema>; headers?: Record<string, Header> };
};

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof methods)[number];

export type OperationObject = {
  operationId: string;
  summary: string;
  description?: string;
  tags?: string[];
  deprecated?: boolean;
  'x-required-scopes'?: string[];
  parameters?: Parameter[];
  requestBody?: { description?: string; required?: boolean; content: Record<string, MediaType> };
  responses: Record<string, ResponseObject>;
};

export type Parameter = { name: string; in: string; description?: string; required?: boolean; schema: Schema };

export type MediaType = {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { summary?: string; value: unknown }>;
};

export type Header = { $ref?: string; description?: string; schema?: Schema };

export type ResponseObject = {
  description: string;
  headers?: Record<string, Header>;
  content?: Record<string, MediaType>;
};

export type Schema = {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  nullable?: boolean;
  readOnly?: boolean;
  enum?: unknown[];
  default?: unknown;
  example?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: boolean | Schema;
};

/** Returns the last part of a reference within the document. */
export function nameOfRef(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}
