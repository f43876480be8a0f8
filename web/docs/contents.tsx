import { Kbd, NavLink, ScrollArea, Text, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import classes from './docs.module.css';
import { MethodBadge } from './method-badge.js';
import type { Found } from './search.js';

export type ContentsProps = {
  query: string;
  found: Found;
  /** The section that is read now. */
  section: string | undefined;
  onQuery(query: string): void;
  onChoose(): void;
};

/**
 * The contents of the page, with a search. Slash focuses the search, arrows move through the results, Enter opens the
 * first one.
 */
export function Contents({ query, found, section, onQuery, onChoose }: ContentsProps) {
  const search = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useHotkeys([['/', () => search.current?.select()]]);

  function links(): HTMLAnchorElement[] {
    return [...(list.current?.querySelectorAll('a') ?? [])];
  }

  function onKeyDown(event: KeyboardEvent): void {
    const all = links();
    const at = all.findIndex((link) => link === document.activeElement);
    if (event.key === 'Escape') {
      onQuery('');
      search.current?.focus();
    } else if (event.key === 'Enter' && at === -1) all[0]?.click();
    else if (event.key === 'ArrowDown') all[at + 1]?.focus();
    else if (event.key === 'ArrowUp' && at === 0) search.current?.focus();
    else if (event.key === 'ArrowUp') all[at - 1]?.focus();
    else return;
    event.preventDefault();
  }

  const isEmpty = found.groups.length === 0 && found.schemas.length === 0;
  return (
    // The whole list handles keys that none of its fields uses.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={classes['contents']} onKeyDown={onKeyDown}>
      <TextInput
        ref={search}
        type="search"
        aria-label="Search the API"
        placeholder="Search the API"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={query === '' ? <Kbd aria-hidden>/</Kbd> : undefined}
        value={query}
        onChange={({ currentTarget }) => onQuery(currentTarget.value)}
      />
      <ScrollArea className={classes['list']} type="hover" viewportProps={{ tabIndex: -1 }}>
        <div ref={list}>
          {isEmpty && (
            <Text size="sm" c="dimmed" p="sm" role="status">
              Nothing holds all of these words.
            </Text>
          )}
          {found.groups.map(({ name, operations }) => (
            <Part key={name} title={name}>
              {operations.map(({ operationId, method, summary }) => (
                <NavLink
                  key={operationId}
                  href={`#${operationId}`}
                  active={section === operationId}
                  aria-current={section === operationId ? 'location' : undefined}
                  label={summary}
                  rightSection={<MethodBadge method={method} />}
                  onClick={onChoose}
                />
              ))}
            </Part>
          ))}
          {found.schemas.length > 0 && (
            <Part title="objects">
              {found.schemas.map((name) => (
                <NavLink key={name} href={`#${name}`} active={section === name} label={name} onClick={onChoose} />
              ))}
            </Part>
          )}
        </div>
      </ScrollArea>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Text size="xs" fw={650} c="dimmed" className={classes['partTitle']}>
        {title}
      </Text>
      {children}
    </div>
  );
}
