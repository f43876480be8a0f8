import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconMapQuestion } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { problemOf } from '../api/errors.js';
import { EmptyState } from './empty-state.js';
import { Page } from './page.js';

/**
 * Returns whether a request for one object failed because no object has the id in the address, or the id is not valid.
 */
export function isMissing(error: unknown): boolean {
  const { type } = problemOf(error);
  return type === 'not_found' || type === 'validation_error';
}

const texts = {
  audit: { title: t`Audit not found`, isMissing: t`This audit doesn’t exist` },
  location: { title: t`Location not found`, isMissing: t`This location doesn’t exist` },
} as const;

type MissingPageProps = {
  /** The kind of the missing object. */
  kind: keyof typeof texts;
  /** A link to the list of such objects. */
  list: ReactNode;
};

/** The page for an object that does not exist in this organization. */
export function MissingPage({ kind, list }: MissingPageProps) {
  return (
    <Page title={texts[kind].title} width="narrow">
      <EmptyState icon={IconMapQuestion} title={texts[kind].isMissing} action={list}>
        <Trans>It may have been deleted, or belongs to another organization.</Trans>
      </EmptyState>
    </Page>
  );
}
