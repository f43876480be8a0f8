import type { Description } from './description.js';
import { Disclosure } from './disclosure.js';
import { type Header, nameOfRef } from './openapi.js';
import { FieldList } from './schema-view.js';

type ResponseHeadersProps = { headers: Record<string, Header>; description: Description };

/** The headers of an answer. They are collapsed at first, since most of them are in every answer. */
export function ResponseHeaders({ headers, description }: ResponseHeadersProps) {
  const fields = Object.entries(headers).map(([name, header]) => {
    const described = header.$ref === undefined ? header : (description.headers[nameOfRef(header.$ref)] ?? {});
    return { name, schema: described.schema ?? {}, isRequired: false, words: described.description };
  });
  if (fields.length === 0) return null;
  return (
    <Disclosure label={`${fields.length} headers`}>
      {() => <FieldList fields={fields} schemas={description.schemas} direction="out" />}
    </Disclosure>
  );
}
