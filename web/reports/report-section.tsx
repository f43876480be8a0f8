import { Alert, Group, Paper, Skeleton, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { ProblemState } from '../ui/problem-state.js';
import { EmailReportButton } from '../emails/email-report-button.js';
import type { EmailedReport } from '../emails/words.js';
import { CsvButton, type CsvTable } from './csv-button.js';

type ReportSectionProps = {
  title: string;
  /** The query of the report; undefined while it waits for a choice. */
  report: { error: unknown; isPending: boolean; refetch: () => unknown } | undefined;
  /** A note that only the first rows are listed. */
  incomplete?: string | undefined;
  csv: { name: string; table: () => CsvTable | Promise<CsvTable> };
  /** The report for scheduled emails; undefined if it cannot be sent by email. */
  emailed?: EmailedReport;
  picture: ReactNode;
  children: ReactNode;
};

/** A report: a picture, then a table with all numbers, which can be saved. */
export function ReportSection({ title, report, incomplete, csv, emailed, picture, children }: ReportSectionProps) {
  return (
    <Stack component="section" aria-label={title}>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {title}
        </Title>
        <Group gap="xs">
          {emailed && <EmailReportButton report={emailed} />}
          <CsvButton {...csv} disabled={!report || report.isPending || report.error !== null} />
        </Group>
      </Group>
      {report?.error ? (
        <ProblemState error={report.error} onRetry={() => void report.refetch()} />
      ) : report?.isPending ? (
        <Skeleton height={300} aria-busy="true" />
      ) : (
        <>
          {picture && (
            <Paper withBorder p="md">
              {picture}
            </Paper>
          )}
          {incomplete && <Alert color="blue">{incomplete}</Alert>}
          {children}
        </>
      )}
    </Stack>
  );
}
