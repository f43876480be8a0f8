import { t } from '@lingui/core/macro';
import { NativeSelect, Table, Text } from '@mantine/core';
import { columnLabel, detailColumn, detailOf, type FileKind, importedNames } from '../../csv/columns.js';
import type { Meaning } from '../../csv/read-file.js';
import { UserText } from '../../ui/user-text.js';

type ColumnChoicesProps = {
  kind: FileKind;
  meanings: readonly Meaning[];
  onChoose: (index: number, column: string | null) => void;
};

const notImported = '';
/** The custom detail with the name of the header. */
const detail = detailColumn('');

/** Shows as what each column of a file is imported, which can be changed. */
export function ColumnChoices({ kind, meanings, onChoose }: ColumnChoicesProps) {
  const options = [
    { value: notImported, label: t`Not imported` },
    ...(kind === 'assets' ? [{ value: detail, label: t`Custom detail` }] : []),
    ...importedNames(kind).map((name) => ({ value: name, label: columnLabel(name) })),
  ];
  return (
    <Table layout="fixed" withRowBorders={false} verticalSpacing={4} aria-label={t`Columns of the file`}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t`In the file`}</Table.Th>
          <Table.Th>{t`Imported as`}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {meanings.map(({ index, header, column, samples }) => (
          <Table.Tr key={index}>
            <Table.Td>
              <UserText>{header}</UserText>
              {samples.length > 0 && (
                <Text size="xs" c="dimmed" lineClamp={2}>
                  <UserText>{samples.join(' · ')}</UserText>
                </Text>
              )}
            </Table.Td>
            <Table.Td>
              <NativeSelect
                aria-label={t`${header} is imported as`}
                data={options}
                value={column === null ? notImported : detailOf(column) === undefined ? column : detail}
                onChange={({ currentTarget: { value } }) =>
                  onChoose(index, value === detail ? detailColumn(header) : value === notImported ? null : value)
                }
              />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
