import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, SegmentedControl, Stack } from '@mantine/core';
import { IconFileDownload } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { byteOrderMark, csvLine } from '../../csv/cells.js';
import { type FileKind, fileColumns } from '../../csv/columns.js';
import { headerLine } from '../../csv/export-rows.js';
import { saveFile } from '../../exports/collect-export.js';
import { ExportButton } from '../../exports/export-button.js';
import { RequireRole } from '../../session/require-role.js';
import { BackLink, Page } from '../../ui/page.js';
import { ColumnHelp } from './column-help.js';
import { FileStep } from './file-step.js';
import { RecentImports } from './recent-imports.js';

/** Imports files of assets or locations: choose one, check it, apply it. */
export function ImportPage() {
  const { kind = 'assets' } = useSearch({ from: '/app/import' });
  const navigate = useNavigate({ from: '/import' });
  return (
    <Page
      title={t`Import`}
      description={t`The file is checked first. When you apply it, all rows are imported, or none.`}
      back={
        kind === 'assets' ? (
          <BackLink to="/assets">{t`Assets`}</BackLink>
        ) : (
          <BackLink to="/locations">{t`Locations`}</BackLink>
        )
      }
      actions={
        <>
          <TemplateButton kind={kind} />
          <ExportButton scope={{ kind }} label={kind === 'assets' ? t`Export all assets` : t`Export all locations`} />
        </>
      }
    >
      <RequireRole needs="manager">
        <Stack gap="lg">
          <SegmentedControl
            aria-label={t`Import`}
            w="fit-content"
            data={[
              { value: 'assets', label: t`Assets` },
              { value: 'locations', label: t`Locations` },
            ]}
            value={kind}
            onChange={(value) => void navigate({ search: { kind: value }, replace: true })}
          />
          <FileStep key={kind} kind={kind} />
          <ColumnHelp kind={kind} />
          <RecentImports />
        </Stack>
      </RequireRole>
    </Page>
  );
}

/** Downloads a file with every column and an example row to overwrite. */
function TemplateButton({ kind }: { kind: FileKind }) {
  function save(): void {
    const example = csvLine(fileColumns[kind].map(({ example }) => example));
    saveFile(new Blob([byteOrderMark, headerLine(kind), example], { type: 'text/csv' }), `${kind}-template.csv`);
  }
  return (
    <Button variant="default" leftSection={<IconFileDownload size={18} aria-hidden />} onClick={save}>
      <Trans>Template</Trans>
    </Button>
  );
}
