import { numberText } from '../../ui/quantity.js';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Code, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import classes from '../../alerts/alerts.module.css';
import { type Outputs, useTRPC } from '../../api/trpc.js';
import { Unanswered } from '../../ui/problem-state.js';
import { When } from '../../ui/when.js';
import { failureText } from './delivery-words.js';
import styles from './delivery-detail.module.css';

type Attempt = Outputs['webhooks']['delivery']['attempt_list'][number];

const refetchMs = 3000;

/** The body of a delivery as it is sent, and each attempt with the beginning of its answer. */
export function DeliveryDetail({ id }: { id: number }) {
  const trpc = useTRPC();
  const delivery = useQuery(trpc.webhooks.delivery.queryOptions({ id }, { refetchInterval: refetchMs }));
  if (delivery.error || !delivery.data) return <Unanswered query={delivery} height={160} />;
  const { event_id: eventId, body, attempt_list: attempts } = delivery.data;
  return (
    <Stack>
      <Text size="sm" component="div" className={styles['id']}>
        <Trans>
          Message ID <Code>{eventId}</Code>
        </Trans>
      </Text>
      <Title order={3} size="h5">{t`Attempts`}</Title>
      {attempts.length === 0 && <Text c="dimmed">{t`Not sent yet.`}</Text>}
      <ol className={classes['alerts']}>
        {attempts.map((attempt, index) => (
          <li key={`${index} ${attempt.attempted_at}`}>
            <AttemptView attempt={attempt} />
          </li>
        ))}
      </ol>
      <Title order={3} size="h5">{t`Body`}</Title>
      <Code block tabIndex={0} role="group" aria-label={t`Body`} className={styles['body']}>
        {pretty(body)}
      </Code>
    </Stack>
  );
}

function AttemptView({ attempt }: { attempt: Attempt }) {
  const { status_code: code, error, answer, duration_ms: ms } = attempt;
  const outcome = code === null ? failureText(error ?? '') : t`status ${code}`;
  return (
    <>
      <Text size="sm" component="div">
        <Trans>
          <When at={attempt.attempted_at} />: {outcome}, {numberText(ms)} ms
        </Trans>
      </Text>
      {answer !== null && answer !== '' && (
        <Code block tabIndex={0} role="group" aria-label={t`Answer`} className={styles['body']}>
          {answer}
        </Code>
      )}
    </>
  );
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
