import { Badge, Code, Group, Text } from '@mantine/core';
import { Disclosure } from './disclosure.js';
import classes from './docs.module.css';
import { nameOfRef, type Schema } from './openapi.js';
import { Inline } from './prose.js';
import { boundWords, choicesOf, patternOf, referenceOf, typeWords } from './schema-words.js';

type Schemas = Record<string, Schema>;

/** The direction of the fields: an answer has all of them. */
export type Direction = 'in' | 'out';

export type Field = { name: string; schema: Schema; isRequired: boolean; words: string | undefined };

type SchemaViewProps = { schema: Schema; schemas: Schemas; direction: Direction };

/** The fields of an object; the schema that a field refers to opens below it. */
export function SchemaView({ schema, schemas, direction }: SchemaViewProps) {
  const object = schema.$ref === undefined ? schema : schemas[nameOfRef(schema.$ref)];
  if (!object) return null;
  const { properties, required = [] } = object;
  if (!properties) return <FieldWords schema={object} />;
  const fields = Object.entries(properties).map(([name, field]) => ({
    name,
    schema: field,
    isRequired: direction === 'in' && required.includes(name),
    words: field.description,
  }));
  return <FieldList fields={fields} schemas={schemas} direction={direction} />;
}

type FieldListProps = { fields: readonly Field[]; schemas: Schemas; direction: Direction };

export function FieldList({ fields, schemas, direction }: FieldListProps) {
  return (
    <ul className={classes['fields']}>
      {fields.map((field) => (
        <li key={field.name} className={classes['field']}>
          <FieldView field={field} schemas={schemas} direction={direction} />
        </li>
      ))}
    </ul>
  );
}

type FieldViewProps = { field: Field; schemas: Schemas; direction: Direction };

function FieldView({ field, schemas, direction }: FieldViewProps) {
  const { name, schema, isRequired, words } = field;
  const reference = referenceOf(schema);
  const isNested = reference !== undefined && schemas[reference] !== undefined;
  return (
    <>
      <Group gap="xs" align="baseline">
        <code className={classes['name']}>{name}</code>
        <Text size="sm" c="dimmed" component="span">
          {typeWords(schema)}
        </Text>
        {isRequired && (
          <Badge size="sm" color="orange">
            required
          </Badge>
        )}
        {direction === 'in' && schema.readOnly && (
          <Badge size="sm" color="gray">
            read only
          </Badge>
        )}
      </Group>
      {words && (
        <Text size="sm">
          <Inline>{words}</Inline>
        </Text>
      )}
      <FieldWords schema={schema} />
      {isNested && (
        <Disclosure label={`Fields of ${reference}`}>
          {() => <SchemaView schema={{ $ref: reference }} schemas={schemas} direction={direction} />}
        </Disclosure>
      )}
    </>
  );
}

/** The values that are accepted or returned, beyond the type. */
function FieldWords({ schema }: { schema: Schema }) {
  const bounds = boundWords(schema);
  const choices = choicesOf(schema);
  const pattern = patternOf(schema);
  if (bounds.length === 0 && !choices && pattern === undefined) return null;
  return (
    <Text size="sm" c="dimmed" component="div" className={classes['words']}>
      {bounds.join(' · ')}
      {choices && (
        <div>
          One of{' '}
          {choices.map((choice) => (
            <Code key={String(choice)} mr={4}>
              {String(choice)}
            </Code>
          ))}
        </div>
      )}
      {pattern !== undefined && (
        <div>
          Matches <Code>{pattern}</Code>
        </div>
      )}
    </Text>
  );
}
