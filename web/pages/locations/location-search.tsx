import { numberText } from '../../ui/quantity.js';
import { t } from '@lingui/core/macro';
import { Paper, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Outputs, useTRPC } from '../../api/trpc.js';
import { ProblemState } from '../../ui/problem-state.js';
import { useTypedText } from '../../ui/use-typed-text.js';
import { UserText } from '../../ui/user-text.js';
import classes from './tree.module.css';

export type FoundLocation = Outputs['locations']['search'][number];

const hitsMax = 20;
const pauseMs = 150;

type LocationSearchProps = {
  q: string;
  onChange: (q: string) => void;
  /** Called with the chosen result, to show it in the tree. */
  onChoose: (found: FoundLocation) => void;
};

/** Finds locations by words of their whole path. */
export function LocationSearch({ q, onChange, onChoose }: LocationSearchProps) {
  const trpc = useTRPC();
  const [text, setText] = useTypedText(q);
  const [settled] = useDebouncedValue(q.trim(), pauseMs);
  const isAsking = settled !== '' && q.trim() !== '';
  const found = useQuery(
    trpc.locations.search.queryOptions(
      { q: settled, limit: hitsMax },
      { enabled: isAsking, placeholderData: keepPreviousData },
    ),
  );

  function type(next: string): void {
    setText(next);
    onChange(next);
  }

  function choose(hit: FoundLocation): void {
    setText('');
    onChoose(hit);
  }

  return (
    <div>
      <TextInput
        type="search"
        label={t`Find a location`}
        description={t`By words of its path: “hall 2 rack” finds the racks of Hall 2`}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        maxLength={255}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          const [first] = found.data ?? [];
          if (event.key === 'Enter' && isAsking && first) choose(first);
          if (event.key === 'Escape') type('');
        }}
      />
      {isAsking && found.error && <ProblemState error={found.error} onRetry={() => void found.refetch()} />}
      {isAsking && found.data && (
        <Paper withBorder mt="xs" p={4} component="section" aria-label={t`Found locations`}>
          {found.data.length === 0 ? (
            <Text p="sm" c="dimmed">{t`No location has all these words on its path.`}</Text>
          ) : (
            <ul className={classes['hits']}>
              {found.data.map((hit) => (
                <li key={hit.id}>
                  <UnstyledButton className={classes['hit']} onClick={() => choose(hit)}>
                    <Text fw={550} component="div">
                      <UserText>{hit.name}</UserText>
                    </Text>
                    <Text size="sm" c="dimmed" component="div">
                      <UserText>{hit.path.map(({ name }) => name).join(' › ')}</UserText>
                    </Text>
                  </UnstyledButton>
                </li>
              ))}
            </ul>
          )}
        </Paper>
      )}
      <Text size="sm" c="dimmed" aria-live="polite" mt={4} mih={20}>
        {isAsking && found.data && found.data.length > 0 ? foundText(found.data.length) : ''}
      </Text>
    </div>
  );
}

function foundText(count: number): string {
  return count === hitsMax
    ? t`${numberText(count)} or more found; choose one to show it in the tree`
    : t`${numberText(count)} found; choose one to show it in the tree`;
}
