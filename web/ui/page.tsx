import { t } from '@lingui/core/macro';
import { Anchor, type AnchorProps, Box, Group, Stack, Text, Title } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import { createLink } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import type { LinkedProps } from './links.js';
import classes from './page.module.css';
import { UserText } from './user-text.js';

export type PageProps = {
  /** The page's only heading, and the title of the browser's tab. */
  title: string;
  /** Whether the title is a name, which the browser must not translate. */
  isName?: boolean;
  description?: ReactNode;
  /** Buttons next to the heading. */
  actions?: ReactNode;
  /** A `BackLink` to the page above this one. */
  back?: ReactNode;
  /** Narrow for forms and texts. */
  width?: 'full' | 'narrow';
  children: ReactNode;
};

/** The frame of every page: a heading, actions, then the content. */
export function Page({ title, isName = false, description, actions, back, width = 'full', children }: PageProps) {
  useEffect(() => {
    document.title = t`${title} · Whereabouts`;
  }, [title]);
  return (
    <Box className={classes['page']} data-width={width}>
      <Stack gap="lg">
        <div>
          {back}
          <Group justify="space-between" align="flex-start" gap="sm">
            <div className={classes['heading']}>
              <Title order={1} size="h2">
                {isName ? <UserText>{title}</UserText> : title}
              </Title>
              {description && (
                <Text c="dimmed" component="div" maw="70ch">
                  {description}
                </Text>
              )}
            </div>
            {actions && <Group gap="xs">{actions}</Group>}
          </Group>
        </div>
        {children}
      </Stack>
    </Box>
  );
}

function PlainBackLink({ children, ...props }: LinkedProps<AnchorProps>) {
  return (
    <Anchor size="sm" {...props} className={classes['back'] ?? ''}>
      <IconChevronLeft size={16} aria-hidden />
      {children}
    </Anchor>
  );
}

/** The link above a page's heading to the page that it belongs to. Its text is the name of that page. */
export const BackLink = createLink(PlainBackLink);
