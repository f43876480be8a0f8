import { Anchor, Badge, Group, Stack, Text, Title } from '@mantine/core';
import { IconLink, IconLock } from '@tabler/icons-react';
import { CodeBlock } from './code-block.js';
import { curlOf } from './curl.js';
import { type Description, isSuccess, onlyContent, type Operation } from './description.js';
import { Disclosure } from './disclosure.js';
import classes from './docs.module.css';
import { exampleOf } from './example.js';
import { MethodBadge } from './method-badge.js';
import type { Parameter, ResponseObject } from './openapi.js';
import { Inline, Prose } from './prose.js';
import { ResponseHeaders } from './response-headers.js';
import { FieldList, SchemaView } from './schema-view.js';

type OperationProps = { operation: Operation; description: Description };

/** One operation: its purpose, input and answers, and next to them an example of the call and its answer. */
export function OperationView({ operation, description }: OperationProps) {
  const { operationId, summary, method, path, deprecated } = operation;
  const scopes = operation['x-required-scopes'] ?? [];
  return (
    <section id={operationId} aria-labelledby={`${operationId}-title`} className={classes['operation']}>
      <Stack gap="sm" className={classes['explained']}>
        <div>
          <Group gap="xs">
            <Title order={3} id={`${operationId}-title`}>
              {summary}
            </Title>
            <Anchor href={`#${operationId}`} aria-label={`Link to ${summary}`} className={classes['anchor']}>
              <IconLink size={16} aria-hidden />
            </Anchor>
            {deprecated && <Badge color="orange">deprecated</Badge>}
          </Group>
          <Group gap="xs" mt={4} wrap="nowrap" align="baseline">
            <MethodBadge method={method} />
            <code className={classes['path']}>{path}</code>
          </Group>
        </div>
        {operation.description && <Prose>{operation.description}</Prose>}
        <Group gap={6}>
          <IconLock size={15} aria-hidden />
          <Text size="sm">
            {scopes.length === 0 ? 'Any API key' : 'Requires an API key with '}
            {scopes.map((scope) => (
              <Badge key={scope} mr={4}>
                {scope}
              </Badge>
            ))}
          </Text>
        </Group>
        <Parameters operation={operation} description={description} parameterIn="path" title="Path parameters" />
        <Parameters operation={operation} description={description} parameterIn="query" title="Query parameters" />
        <Body operation={operation} description={description} />
        <Answers operation={operation} description={description} />
      </Stack>
      <Stack gap="sm" className={classes['shown']}>
        <CodeBlock label="curl" text={curlOf(operation, description)} />
        <AnswerExample operation={operation} description={description} />
      </Stack>
    </section>
  );
}

type ParametersProps = OperationProps & { parameterIn: Parameter['in']; title: string };

function Parameters({ operation: { parameters = [] }, description, parameterIn, title }: ParametersProps) {
  const fields = parameters
    .filter((parameter) => parameter.in === parameterIn)
    .map(({ name, schema, required = false, description: words }) => ({ name, schema, isRequired: required, words }));
  if (fields.length === 0) return null;
  return (
    <div>
      <Title order={4}>{title}</Title>
      <FieldList fields={fields} schemas={description.schemas} direction="in" />
    </div>
  );
}

function Body({ operation: { requestBody }, description }: OperationProps) {
  const body = onlyContent(requestBody?.content);
  if (!body?.media.schema) return null;
  return (
    <div>
      <Title order={4}>Request body</Title>
      <Text size="sm" c="dimmed">
        <code>{body.type}</code>
      </Text>
      <SchemaView schema={body.media.schema} schemas={description.schemas} direction="in" />
    </div>
  );
}

/** The successful response is shown in full. Errors, which are similar everywhere, are shown with their reason only. */
function Answers({ operation: { responses }, description }: OperationProps) {
  return (
    <div>
      <Title order={4}>Responses</Title>
      <ul className={classes['fields']}>
        {Object.entries(responses).map(([status, response]) => (
          <li key={status} className={classes['field']} data-close={!isSuccess(status)}>
            {isSuccess(status) ? (
              <SuccessView status={status} response={response} description={description} />
            ) : (
              <Disclosure label={<StatusWords status={status} response={response} />}>
                {() => <RefusalView status={status} response={response} description={description} />}
              </Disclosure>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

type AnswerProps = { status: string; response: ResponseObject };

function StatusWords({ status, response }: AnswerProps) {
  return (
    <Group gap="xs" wrap="nowrap" align="baseline" component="span">
      <Badge color={isSuccess(status) ? 'green' : 'gray'} className={classes['method']} component="span">
        {status}
      </Badge>
      <Text size="sm" component="span" c="var(--mantine-color-text)">
        <Inline>{response.description}</Inline>
      </Text>
    </Group>
  );
}

function SuccessView({ status, response, description }: AnswerProps & { description: Description }) {
  const schema = onlyContent(response.content)?.media.schema;
  return (
    <>
      <StatusWords status={status} response={response} />
      {schema && <SchemaView schema={schema} schemas={description.schemas} direction="out" />}
      <ResponseHeaders headers={response.headers ?? {}} description={description} />
    </>
  );
}

function RefusalView({ status, response, description }: AnswerProps & { description: Description }) {
  return (
    <Stack gap="xs">
      {Object.entries(onlyContent(response.content)?.media.examples ?? {}).map(([name, { value }]) => (
        <CodeBlock key={name} label={`${status} ${name}`} text={JSON.stringify(value, null, 2)} />
      ))}
      <ResponseHeaders headers={response.headers ?? {}} description={description} />
    </Stack>
  );
}

function AnswerExample({ operation: { responses }, description }: OperationProps) {
  const [status, response] = Object.entries(responses).find(([code]) => isSuccess(code)) ?? [];
  const content = onlyContent(response?.content);
  if (status === undefined || !content) return null;
  const text = JSON.stringify(exampleOf(content.media, description.schemas), null, 2);
  return <CodeBlock label={`Response ${status}`} text={text} />;
}
