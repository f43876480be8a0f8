import { t } from '@lingui/core/macro';
import { Alert, Progress, Stack } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { isArchive } from '../../csv/archive.js';
import type { FileKind } from '../../csv/columns.js';
import { decodeFile } from '../../csv/decode.js';
import { type Choices, readFile, type ReadFile, readTable } from '../../csv/read-file.js';
import { useSession } from '../../session/context.js';
import { ownerOf } from '../../session/owner.js';
import { DropArea, type Given } from './drop-area.js';
import { keptColumns, keptHeaderLine } from './kept-columns.js';
import { type Source, UnderstoodFile } from './understood-file.js';

type OpenFile = { given: Given; source: Source; read: ReadFile; choices: Choices };

/** Chooses a file, shows its contents, and sends it to be checked. */
export function FileStep({ kind }: { kind: FileKind }) {
  const owner = ownerOf(useSession());
  const [file, setFile] = useState<OpenFile | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isReading, setReading] = useState(false);

  async function take(given: Given, sheet?: string): Promise<void> {
    setFile(null);
    setRefusal(null);
    setReading(true);
    try {
      const { bytes } = given;
      const source = isArchive(bytes) ? await workbookOf(bytes, kind, sheet) : textOf(bytes, kind);
      if ('problem' in source) {
        setRefusal(source.problem);
        return;
      }
      let choices: Choices = {};
      let read = await source.readWith(choices);
      const headerLine = keptHeaderLine({ owner, kind, firstRows: read.firstRows });
      if (headerLine !== undefined && headerLine !== read.headerLine) {
        choices = { headerLine };
        read = await source.readWith(choices);
      }
      const columns = keptColumns({ owner, kind, meanings: read.meanings });
      if (columns) {
        choices = { ...choices, columns };
        read = await source.readWith(choices);
      }
      setFile({ given, source, choices, read });
    } finally {
      setReading(false);
    }
  }

  return (
    <Stack gap="md">
      <DropArea onGiven={(given) => void take(given)} onProblem={setRefusal} />
      {isReading && <Progress value={100} animated aria-label={t`Reading the file`} />}
      {refusal !== null && (
        <Alert role="alert" color="red" icon={<IconAlertCircle />} title={t`This file can't be read`}>
          {refusal}
        </Alert>
      )}
      {file && (
        <UnderstoodFile
          key={`${file.given.name} ${file.source.sheet ?? ''}`}
          kind={kind}
          owner={owner}
          name={file.given.name}
          source={file.source}
          initial={file}
          onSheet={(sheet) => void take(file.given, sheet)}
        />
      )}
    </Stack>
  );
}

type Read = Source | { problem: string };

function textOf(bytes: Uint8Array, kind: FileKind): Read {
  const decoded = decodeFile(bytes);
  if ('problem' in decoded) return decoded;
  return { encoding: decoded.encoding, readWith: (choices) => readFile(decoded.text, kind, choices) };
}

/** Reads an Excel workbook; its library is loaded when it is needed. */
async function workbookOf(bytes: Uint8Array, kind: FileKind, wanted?: string): Promise<Read> {
  const { readWorkbook, WorkbookError } = await import('../../csv/workbook.js');
  try {
    const { name: sheet, others: otherSheets, ...table } = await readWorkbook(bytes, wanted);
    const readWith = (choices: Choices) => readTable({ delimiter: null, ...table }, kind, choices);
    return { encoding: null, sheet, otherSheets, readWith };
  } catch (error) {
    if (error instanceof WorkbookError) return { problem: error.message };
    throw error;
  }
}
