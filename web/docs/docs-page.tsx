import { Alert, Anchor, AppShell, Burger, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAlertCircle } from '@tabler/icons-react';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { Logo } from '../shell/logo.js';
import { ColorSchemeButton } from './color-scheme-button.js';
import { Contents } from './contents.js';
import { type Description, fetchDescription } from './description.js';
import classes from './docs.module.css';
import { Sections } from './sections.js';
import { searchDescription } from './search.js';
import { useCurrentSection, useStartingSection } from './use-current-section.js';

/** The API for people to read: exactly the contents of the description. */
export function DocsPage() {
  const [attempt, setAttempt] = useState(0);
  return <Loaded key={attempt} onRetry={() => setAttempt(attempt + 1)} />;
}

function Loaded({ onRetry }: { onRetry: () => void }) {
  const [description, setDescription] = useState<Description>();
  const [error, setError] = useState<string>();

  useEffect(() => {
    const controller = new AbortController();
    fetchDescription(controller.signal).then(setDescription, (reason: unknown) => {
      if (!controller.signal.aborted) setError(reason instanceof Error ? reason.message : 'No answer came');
    });
    return () => controller.abort();
  }, []);

  if (description) return <Docs description={description} />;
  return (
    <main className={classes['alone']}>
      <Title order={1} mb="lg">
        Whereabouts API
      </Title>
      {error === undefined ? <Waiting /> : <Failed reason={error} onRetry={onRetry} />}
    </main>
  );
}

function Waiting() {
  return (
    <Stack aria-busy="true" aria-label="Loading the description" role="status">
      <Skeleton h={120} />
      <Skeleton h={420} />
    </Stack>
  );
}

function Failed({ reason, onRetry }: { reason: string; onRetry: () => void }) {
  return (
    <Alert role="alert" color="red" icon={<IconAlertCircle />} title="The description could not be loaded">
      <Text size="sm">{reason}. Nothing else is wrong with this page; ask again in a moment.</Text>
      <Button mt="sm" size="xs" variant="default" onClick={onRetry}>
        Try again
      </Button>
    </Alert>
  );
}

function Docs({ description }: { description: Description }) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const [query, setQuery] = useState('');
  const wanted = useDeferredValue(query);
  const found = useMemo(() => searchDescription(description, wanted), [description, wanted]);
  const ids = useMemo(
    () => [
      ...description.groups.flatMap(({ operations }) => operations.map(({ operationId }) => operationId)),
      ...Object.keys(description.schemas),
    ],
    [description],
  );
  const section = useCurrentSection(ids);
  useStartingSection();
  return (
    <AppShell header={{ height: 56 }} navbar={{ width: 320, breakpoint: 'md', collapsed: { mobile: !isOpen } }}>
      <a className={classes['skip']} href="#content">
        Skip to the content
      </a>
      <AppShell.Header className={classes['bar'] ?? ''}>
        <Group h="100%" px="md" gap="sm" wrap="nowrap" justify="space-between">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="md"
              size="sm"
              aria-label={isOpen ? 'Close the contents' : 'Open the contents'}
            />
            <Anchor href="/" underline="never" c="inherit" aria-label="API of Whereabouts: open the app">
              <Group gap={8} wrap="nowrap">
                <Logo size={26} />
                <Text fw={680} component="span">
                  API
                </Text>
              </Group>
            </Anchor>
          </Group>
          <Group gap="md" wrap="nowrap">
            <Anchor href="/api/openapi.json" size="sm">
              JSON
            </Anchor>
            <Anchor href="/api/openapi.yaml" size="sm">
              YAML
            </Anchor>
            <ColorSchemeButton />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes['bar'] ?? ''} aria-label="Contents">
        <Contents query={query} found={found} section={section} onQuery={setQuery} onChoose={close} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={classes['main'] ?? ''}>
        <Sections description={description} found={found} />
      </AppShell.Main>
    </AppShell>
  );
}
