import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Files with a new key and a certificate for it, signed by itself; disposing of them removes them. */
export type SelfSigned = Disposable & {
  readonly certFile: string;
  readonly keyFile: string;
};

const sequence = 0x30;
const set = 0x31;
const integer = 0x02;
const bitString = 0x03;
const objectId = 0x06;
const utf8String = 0x0c;
const utcTime = 0x17;
const explicit0 = 0xa0;

/** A value in DER: its tag, its length, its bytes. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const hex = (digits: string) => Buffer.from(digits, 'hex');

export function createSelfSigned(): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = der(sequence, der(objectId, hex('2a8648ce3d040302')));
  const commonName = der(sequence, der(objectId, hex('550403')), der(utf8String, Buffer.from('localhost')));
  const name = der(sequence, der(set, commonName));
  const validity = der(
    sequence,
    der(utcTime, Buffer.from('200101000000Z')),
    der(utcTime, Buffer.from('491231235959Z')),
  );
  const toSign = der(
    sequence,
    der(explicit0, der(integer, Buffer.from([2]))),
    der(integer, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = der(bitString, Buffer.from([0]), sign('sha256', toSign, privateKey));
  const base64 = der(sequence, toSign, ecdsaWithSha256, signature).toString('base64');
  const folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-tls-'));
  const certFile = path.join(folder, 'cert.pem');
  const keyFile = path.join(folder, 'key.pem');
  writeFileSync(
    certFile,
    `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  );
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return {
    certFile,
    keyFile,
    [Symbol.dispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
