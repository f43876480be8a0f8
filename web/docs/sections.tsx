import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import { memo } from 'react';
import type { Description } from './description.js';
import classes from './docs.module.css';
import { OperationView } from './operation-view.js';
import { Inline, Prose } from './prose.js';
import type { Found } from './search.js';
import { SchemaView } from './schema-view.js';

/**
 * The results of the search, at first everything, one below the other, so that the browser's own search and printing
 * include them.
 */
export const Sections = memo(function Sections({ description, found }: { description: Description; found: Found }) {
  const { title, version, about, baseUrl, schemas } = description;
  return (
    <div className={classes['sections']}>
      <Stack gap="sm" maw="75ch">
        <Group gap="sm">
          <Title order={1}>{title}</Title>
          <Badge color="gray">{version}</Badge>
        </Group>
        <Prose>{about}</Prose>
        <Text>
          Base URL: <code className={classes['path']}>{baseUrl}</code>
        </Text>
      </Stack>
      {found.groups.map(({ name, description: words, operations }) => (
        <section key={name} aria-labelledby={`${name}-group`} className={classes['group']}>
          <Title order={2} id={`${name}-group`} className={classes['groupTitle']}>
            {name}
          </Title>
          {words && (
            <Text c="dimmed">
              <Inline>{words}</Inline>
            </Text>
          )}
          {operations.map((operation) => (
            <OperationView key={operation.operationId} operation={operation} description={description} />
          ))}
        </section>
      ))}
      {found.schemas.length > 0 && (
        <section aria-labelledby="objects-group" className={classes['group']}>
          <Title order={2} id="objects-group" className={classes['groupTitle']}>
            objects
          </Title>
          <Text c="dimmed">Schemas of request and response bodies, by name.</Text>
          {found.schemas.map((name) => (
            <ObjectView key={name} name={name} schemas={schemas} />
          ))}
        </section>
      )}
    </div>
  );
});

function ObjectView({ name, schemas }: { name: string; schemas: Description['schemas'] }) {
  const schema = schemas[name];
  if (!schema) return null;
  return (
    <section id={name} aria-labelledby={`${name}-title`} className={classes['object']}>
      <Title order={3} id={`${name}-title`}>
        {name}
      </Title>
      {schema.description && (
        <Text size="sm">
          <Inline>{schema.description}</Inline>
        </Text>
      )}
      <SchemaView schema={schema} schemas={schemas} direction={name.endsWith('Request') ? 'in' : 'out'} />
    </section>
  );
}
