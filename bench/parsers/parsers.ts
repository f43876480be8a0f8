import { Duplex } from 'node:stream';
import { readBodyInput, readQuery } from '../../gateway/rest/input.js';
import { type Operation, readOperations } from '../../gateway/rest/operations.js';
import { formats } from '../../ingest-broker/formats/index.js';
import { createIntake } from '../../ingest-broker/wire/intake.js';
import { termsOf } from '../../server/app/search/terms.js';
import type { Mapping } from '../../server/index.js';
import { appRouter } from '../../server/router.js';
import { formatOf, isAnimated } from '../../server/things/images/signature.js';
import { searchRule } from '../../server/kernel/validation/resource-fields.js';
import { gs1Epcs, gs1Spellings } from '../../server/things/tags/gs1.js';
import { decodeFile } from '../../web/csv/decode.js';
import { readFile, readTable } from '../../web/csv/read-file.js';
import { readWorkbook } from '../../web/csv/workbook.js';
import type { Input } from './input.js';
import { bodies, codes, csv, images, messages, packets, queries, shapes } from './messages.js';
import { createAnswers } from './webhook-answers.js';
import { sheets, workbookOf } from './workbook.js';

/** Something that parses what comes from outside; it may throw for what it rejects. */
export type Parser = {
  name: string;
  /** What it expects. */
  inputs: readonly Input[];
  /** What else the search begins with. */
  more?: readonly Input[];
  /** Returns what the parser is given for an input, where that is not the input itself. */
  wrap?(bytes: Buffer): Buffer;
  parse(bytes: Buffer): unknown;
};

const topic = 'gate/D8A01D553201';
const everyMessage = Object.values(messages).flat();

function readerParser(name: string, format: keyof typeof formats, mapping: Mapping | null = null): Parser {
  const inputs = messages[name] ?? everyMessage;
  return {
    name,
    inputs,
    more: shapes,
    parse: (payload) => formats[format]({ topic, payload, onReadsTopic: true, mapping }),
  };
}

const usualMapping: Mapping = {
  list: 'reads',
  value: 'value',
  antenna: 'antenna',
  rssi: 'rssi_dbm',
  time: 'observed_at',
  time_unit: 'rfc3339',
  tag_type: 'rfid',
};
const computedMapping: Mapping = {
  value: 'reads[0].value || epc || mac',
  condition: 'length(keys(@)) > `0`',
  rssi: 'rssi',
  antenna: 'to_number(ant)',
  time_unit: 's',
  tag_type: 'rfid',
};

/** Returns all parsers, and what stops the servers that they need. */
export async function createParsers(): Promise<{ parsers: Parser[]; stop(): Promise<void> }> {
  const operations = readOperations(appRouter);
  const operationOf = (id: string) => operations.find((one) => one.id === id) as Operation;
  const answers = await createAnswers();
  const parsers: Parser[] = [
    ...Object.keys(formats)
      .filter((name) => name !== 'mapped')
      .map((name) => readerParser(name, name as keyof typeof formats)),
    readerParser('mapped', 'mapped', usualMapping),
    readerParser('mapped, JMESPath', 'mapped', computedMapping),
    { name: 'MQTT packets', inputs: packets, parse: takePackets },
    { name: 'GS1 codes', inputs: codes, parse: inPieces(readCode) },
    { name: 'search', inputs: codes, parse: inPieces(termsOf) },
    { name: 'query strings', inputs: queries, parse: (bytes) => readQuery(bytes.toString('latin1')) },
    { name: 'JSON bodies', inputs: bodies, more: shapes, parse: bodyParser(operationOf('createAsset')) },
    { name: 'merge patch', inputs: bodies, more: shapes, parse: bodyParser(operationOf('updateAsset')) },
    { name: 'images, on the event loop', inputs: images, parse: readSignature },
    { name: 'webhook answers', inputs: answers.inputs, parse: answers.send },
    { name: 'CSV, in the browser', inputs: csv, parse: readCsv },
    { name: 'XLSX, in the browser', inputs: sheets, wrap: workbookOf, parse: readXlsx },
  ];
  return { parsers, stop: answers.stop };
}

function bodyParser(operation: Operation): Parser['parse'] {
  return (bytes) => operation.input.safeParse(readBodyInput(operation, bytes, {}));
}

/** Longer texts are refused before they are parsed. */
function inPieces(parse: (text: string) => unknown): Parser['parse'] {
  return (bytes) => {
    const text = bytes.toString();
    for (let at = 0; at < text.length; at += searchRule.max) parse(text.slice(at, at + searchRule.max));
  };
}

function readCode(text: string): unknown {
  return [gs1Spellings(text), gs1Epcs(text)];
}

function readSignature(bytes: Buffer): boolean {
  const format = formatOf(bytes);
  return format !== undefined && isAnimated(bytes, format);
}

async function readCsv(bytes: Buffer): Promise<unknown> {
  const decoded = decodeFile(bytes, 'en');
  return 'problem' in decoded ? decoded : readFile(decoded.text, 'assets');
}

async function readXlsx(bytes: Buffer): Promise<unknown> {
  const { records } = await readWorkbook(bytes);
  return readTable({ delimiter: null, records }, 'assets');
}

/** Takes packets from a connection until it has none or is ended. */
function takePackets(bytes: Buffer): void {
  let isEnded = false;
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  const end = () => {
    isEnded = true;
  };
  const intake = createIntake({
    socket,
    bodyBytesMax: bytes.length,
    hasCapacity: () => true,
    onRead: () => {},
    onViolation: end,
  });
  socket.on('error', () => {});
  socket.push(bytes);
  while (!isEnded && socket.read() !== null) intake.open();
  socket.destroy();
}
