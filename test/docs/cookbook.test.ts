import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestFolder, type TestFolder } from '../support/folder.js';
import { sharedWorld, type TestOrganization, type World } from '../support/world.js';
import { blocksOf, piecesOf, readProjectFile, sectionOf } from './markdown.js';
import { python } from './python.js';
import { openShell } from './terminals.js';

const run = promisify(execFile);
const page = readProjectFile('docs', 'cookbook.md');
const excelFile = readProjectFile('test', 'web', 'import', 'cases', 'cookbook-excel-utf8.csv');

let folder: TestFolder;
let world: World;
let organization: TestOrganization;

beforeAll(async () => {
  folder = createTestFolder('cookbook');
  world = await sharedWorld();
  // Each block of a program is the file that the paragraph above it names.
  let name: string | undefined;
  for (const { kind, language, text } of piecesOf(page)) {
    if (kind === 'text') name = /^(?:JavaScript|Python), `([\w-]+\.(?:mjs|py))`/.exec(text)?.[1];
    else if (name && (language === 'js' || language === 'python')) writeFileSync(path.join(folder.path, name), text);
  }
});

afterAll(async () => {
  folder[Symbol.dispose]();
});

beforeEach(async () => {
  organization = await world.organization();
});

function env() {
  const { PATH = '' } = process.env;
  return { PATH, WHEREABOUTS_URL: world.url, WHEREABOUTS_KEY: organization.token, PYTHONDONTWRITEBYTECODE: '1' };
}

/** What a program of the page prints, with a file of this content as its argument, or with a text. */
async function runProgram(file: string, argument: { file: string | Buffer } | { text: string }): Promise<any> {
  const input = path.join(folder.path, 'input');
  if ('file' in argument) writeFileSync(input, argument.file);
  const program = file.endsWith('.py') ? python : process.execPath;
  const given = 'file' in argument ? input : argument.text;
  const { stdout } = await run(program, [path.join(folder.path, file), given], { env: env() });
  return JSON.parse(stdout);
}

async function assets(): Promise<Record<string, any>[]> {
  return (await organization.get('/api/v1/assets?limit=200')).body.data;
}

test('the commands with curl do what the page says', async () => {
  await using shell = openShell({ cwd: folder.path, env: env(), scratch: folder.path });
  const [check = ''] = blocksOf(sectionOf(page, 'Before you begin'), 'sh');
  expect(JSON.parse(await shell.run(check)).data.api_key_id).toBe(organization.keyId);
  const [create = '', change = '', report = ''] = blocksOf(sectionOf(page, 'Single requests with curl'), 'sh');
  await shell.run(create);
  expect(await assets()).toMatchObject([{ external_key: 'FORKLIFT-7', tags: [{ tag_type: 'rfid' }] }]);
  const { body } = await organization.get('/api/v1/locations?external_key=SHELF-1');
  expect(body.data).toMatchObject([{ parent_external_key: 'HALL-1' }]);
  expect(await shell.run(change)).toContain('Spare battery in locker 3');
  expect(await assets()).toEqual([]);
  expect(JSON.parse(await shell.run(report))).toMatchObject({ data: [], total_count: 0 });
});

describe.each([{ language: 'js' }, { language: 'python' }])('in $language', ({ language }) => {
  const named = (js: string, python: string) => (language === 'js' ? js : python);

  test('synchronizing creates, changes and deletes, and then has nothing to do', async () => {
    const program = named('synchronize.mjs', 'synchronize.py');
    await organization.post('/api/v1/assets', { external_key: 'GONE', name: 'Gone' });
    await organization.post('/api/v1/assets', { external_key: 'A-1', name: 'Old', metadata: { b: 1, a: [2] } });
    const source = [
      { external_key: 'A-1', name: 'New', metadata: { a: [2], b: 1 } },
      ...Array.from({ length: 250 }, (_, n) => ({ external_key: `B-${n}`, name: `B ${n}`, metadata: { n } })),
    ];
    const file = JSON.stringify(source);
    expect(await runProgram(program, { file })).toEqual({ created: 250, changed: 1, deleted: 1 });
    expect(await runProgram(program, { file })).toEqual({ created: 0, changed: 0, deleted: 0 });
    const { body } = await organization.get('/api/v1/assets?limit=1');
    expect(body.total_count).toBe(251);
  });

  test('changes are read back to the watermark', async () => {
    const program = named('changes.mjs', 'changes.py');
    await world.db.$executeRaw`
      INSERT INTO assets (org_id, external_key, name, valid_from, created_at, updated_at)
      SELECT ${organization.orgId}, 'A-' || n, 'x', now() - interval '9 days', now() - interval '9 days',
             now() - n * interval '1 minute'
        FROM generate_series(1, 500) AS n`;
    const since = new Date(Date.now() - 449.5 * 60_000).toISOString();
    const first = await runProgram(program, { text: since });
    expect(first.assets).toHaveLength(449);
    const second = await runProgram(program, { text: first.watermark });
    expect(second.assets.map((asset: any) => asset.external_key).toSorted()).toEqual(['A-1', 'A-2']);
    const rows = await assets();
    await organization.patch(`/api/v1/assets/${rows.at(-1)?.['id']}`, { name: 'Changed' });
    const third = await runProgram(program, { text: second.watermark });
    expect(third.assets.map(({ name }: any) => name)).toContain('Changed');
    expect(third.watermark > second.watermark).toBe(true);
  });

  test('a spreadsheet is imported, and imported again without doubles', async () => {
    const program = named('import.mjs', 'import_assets.py');
    const csv =
      'key,name,description,epc\r\nP-1,"Pallet, blue","First line\nsecond ""line""",E280117000000201C0A8B1D3\r\nP-2,Pallet 2,,\r\n';
    expect(await runProgram(program, { file: csv })).toEqual({ created: 2, changed: 0 });
    const tag = { tag_type: 'rfid', value: 'E280117000000201C0A8B1D3' };
    expect(await assets()).toMatchObject([
      { external_key: 'P-1', name: 'Pallet, blue', description: 'First line\nsecond "line"', tags: [tag] },
      { external_key: 'P-2', name: 'Pallet 2', description: null, tags: [] },
    ]);
    const again = csv.replace('P-2,Pallet 2,,', 'P-2,Pallet two,,E280117000000201C0A8B1D4');
    expect(await runProgram(program, { file: again })).toEqual({ created: 0, changed: 2 });
    expect(await assets()).toMatchObject([
      { tags: [tag] },
      { name: 'Pallet two', tags: [{ tag_type: 'rfid', value: 'E280117000000201C0A8B1D4' }] },
    ]);
  });

  test.each([
    ['as Excel writes it', excelFile],
    ['with semicolons', excelFile.replaceAll(',', ';')],
    ['with the line ends of old Macs', excelFile.replaceAll('\r\n', '\r')],
    ['without empty cells at the end', excelFile.replaceAll(/,+\r?$/gm, '')],
  ])('a spreadsheet %s is imported once', async (_, file) => {
    const program = named('import.mjs', 'import_assets.py');
    expect(file).toMatch(/^\uFEFFkey/);
    expect(await runProgram(program, { file })).toEqual({ created: 2, changed: 0 });
    expect(await runProgram(program, { file })).toEqual({ created: 0, changed: 2 });
    expect(await assets()).toMatchObject([
      { external_key: 'PUMP-7', name: 'Pump 7', tags: [{ tag_type: 'rfid', value: 'E20000000007' }] },
      { external_key: 'PUMP-8', name: 'Pump 8', tags: [] },
    ]);
  });

  test('a file in another encoding is rejected before anything is imported', async () => {
    const file = Buffer.from('key;name;description;epc\nP-1;gr\xFCn;;\n', 'latin1');
    await expect(runProgram(named('import.mjs', 'import_assets.py'), { file })).rejects.toThrow(/utf-8/i);
    expect(await assets()).toEqual([]);
  });

  test('a rejection is an error with its detail and the id of the request', async () => {
    const failure = runProgram(named('import.mjs', 'import_assets.py'), {
      file: 'key,name,description,epc\nP 1,x,,\n',
    });
    await expect(failure).rejects.toThrow(/external_key must match .+ \(request [0-9A-Z]{26}\)/);
  });
});
