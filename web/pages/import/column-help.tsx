import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Accordion, Code, Stack, Table, Text } from '@mantine/core';
import { type FileKind, fileColumns, placeColumns } from '../../csv/columns.js';

/** Explains the columns, and how cells that spreadsheets would execute are written. */
export function ColumnHelp({ kind }: { kind: FileKind }) {
  return (
    <Accordion variant="contained" order={2}>
      <Accordion.Item value="columns">
        <Accordion.Control>{t`Columns of the file`}</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="sm">
            <Text size="sm">
              {kind === 'assets' ? (
                <Trans>
                  The first line names the columns, in any order. A row whose key is known changes that asset to exactly
                  what the row says; a column that the file does not have stays as it is. Excel workbooks (.xlsx) and
                  CSV files are understood, and the columns can have the names that the app shows.
                </Trans>
              ) : (
                <Trans>
                  The first line names the columns, in any order. A row whose key is known changes that location to
                  exactly what the row says; a column that the file does not have stays as it is. Excel workbooks
                  (.xlsx) and CSV files are understood, and the columns can have the names that the app shows.
                </Trans>
              )}
            </Text>
            <Table.ScrollContainer minWidth={420} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t`Column`}</Table.Th>
                    <Table.Th>{t`Content`}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {[...fileColumns[kind], ...placeColumns[kind]].map(({ name, words }) => (
                    <Table.Tr key={name}>
                      <Table.Td>
                        <Code>{name}</Code>
                      </Table.Td>
                      <Table.Td>{words}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
            <Text size="sm">
              <Trans>
                Exported cells that begin with <Code>=</Code> <Code>+</Code> <Code>-</Code> <Code>@</Code>, a tab or a
                line break get a leading apostrophe, so that spreadsheets do not run them. The import removes it.
              </Trans>
            </Text>
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
