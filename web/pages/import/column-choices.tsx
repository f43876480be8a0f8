import { t } from '@lingui/core/macro';
import { NativeSelect, Text } from '@mantine/core';
import { columnLabel, detailColumn, detailOf, type FileKind, importedNames } from '../../csv/columns.js';
import type { ReadFile } from '../../csv/read-file.js';
import { UserText } from '../../ui/user-text.js';
import classes from './column-choices.module.css';

type ColumnChoicesProps = {
  kind: FileKind;
  read: ReadFile;
  onChoose: (index: number, column: string | null) => void;
};

const notImported = '';
/** The custom detail with the name of the header. */
const detail = detailColumn('');

/** Shows as what each column of a file is imported, which can be changed. */
export function ColumnChoices({ kind, read: { meanings }, onChoose }: ColumnChoicesProps) {
  const options = [
    { value: notImported, label: t`Not imported` },
    ...(kind === 'assets' ? [{ value: detail, label: t`Custom detail` }] : []),
    ...importedNames(kind).map((name) => ({ value: name, label: columnLabel(name) })),
  ];
  return (
    <div>
      <div className={classes['head']} aria-hidden>
        <Text size="sm" fw={650}>{t`In the file`}</Text>
        <Text size="sm" fw={650}>{t`Imported as`}</Text>
      </div>
      <ul className={classes['list']} aria-label={t`Columns of the file`}>
        {meanings.map(({ index, header, column, samples }) => (
          <li key={index} className={classes['row']}>
            <div>
              <Text size="sm" component="div">
                <UserText>{header}</UserText>
              </Text>
              {samples.length > 0 && (
                <Text size="xs" c="dimmed" lineClamp={2}>
                  <UserText>{samples.join(' · ')}</UserText>
                </Text>
              )}
            </div>
            <NativeSelect
              aria-label={t`${header} is imported as`}
              data={options}
              value={column === null ? notImported : detailOf(column) === undefined ? column : detail}
              onChange={({ currentTarget: { value } }) =>
                onChoose(index, value === detail ? detailColumn(header) : value === notImported ? null : value)
              }
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
