import { expect, test } from 'vitest';
import { tagIdNotice } from '../../web/tags/tag-id-notice.js';

test('a tag that readers hardly report like this is doubted, and nothing else', () => {
  const ids = [
    'E2801190A503006543E21224',
    'e2 80 11 90',
    '0xE280',
    'AC:23:3F:A0:32:08',
    'e2c56db5-d00b-48d2-b060-d0f5a71096e0-7-11',
  ];
  expect(ids.map((id) => tagIdNotice('rfid', id) ?? tagIdNotice('ble', ` ${id} `))).toEqual(ids.map(() => undefined));
  expect(['', 'LABEL 1'].map((value) => tagIdNotice('barcode', value))).toEqual([undefined, undefined]);
  expect(['E280119O', 'PUMP-1', 'E28;'].map((id) => typeof tagIdNotice('rfid', id))).toEqual(Array(3).fill('string'));
  expect(tagIdNotice('rfid', '')).toBeUndefined();
});
