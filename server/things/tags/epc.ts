/**
 * Bits of the company prefix for each partition of an EPC. The prefix has 12 digits in the first partition, and one
 * digit less in each further partition.
 */
const companyBits = [40, 37, 34, 30, 27, 24, 20];

/** How many kinds of packages the filter of an EPC distinguishes. A label does not contain the filter. */
const filters = 8;

/** The largest serial number of an EPC of 96 bits. */
export const serialMax = '274877906943';

type Scheme = {
  header: number;
  /** Bits of the company prefix and the reference together, and bits of the serial number or the reserved part. */
  bits: number;
  rest: number;
};

const sgtin: Scheme = { header: 0x30, bits: 44, rest: 38 };
const sscc: Scheme = { header: 0x31, bits: 58, rest: 24 };
const grai: Scheme = { header: 0x33, bits: 44, rest: 38 };
const giai: Scheme = { header: 0x34, bits: 82, rest: 0 };
const sgln: Scheme = { header: 0x32, bits: 41, rest: 41 };
const gdti: Scheme = { header: 0x2c, bits: 41, rest: 41 };
const gsrn: Scheme = { header: 0x2d, bits: 58, rest: 24 };

/**
 * Returns the EPCs of 96 bits that a tag with this number of GS1 can have, in hexadecimal digits: one for each length
 * of the company prefix and each filter, since the number contains neither (GS1 EPC Tag Data Standard 2.1). Empty
 * without a serial number, or if 96 bits cannot hold it.
 *
 * @param ai the application identifier: 01, 00, 414, 253, 8003, 8004, 8017 or 8018
 * @param serial the data of the application identifier 21, for 01, or 254, for 414
 */
export function epcsOf(ai: string, data: string, serial = ''): string[] {
  switch (ai) {
    case '01':
      return encoded(sgtin, 13, { company: data.slice(1, 13), indicator: data.slice(0, 1), serial });
    case '00':
      return encoded(sscc, 17, { company: data.slice(1, 17), indicator: data.slice(0, 1), serial: '0' });
    case '8003':
      return encoded(grai, 12, { company: data.slice(1, 13), indicator: '', serial: data.slice(14) });
    case '8004':
      return /^\d{7,}$/.test(data) ? encodedAssets(data) : [];
    case '414':
      return encoded(sgln, 12, { company: data.slice(0, 12), indicator: '', serial: serial || '0' });
    case '253':
      return encoded(gdti, 12, { company: data.slice(0, 12), indicator: '', serial: data.slice(13) });
    case '8017':
    case '8018':
      return encoded(gsrn, 17, { company: data.slice(0, 17), indicator: '', serial: '0' });
    default:
      return [];
  }
}

type Numbers = {
  /** Company prefix and reference, without the digit that the EPC has in front of the reference. */
  company: string;
  indicator: string;
  serial: string;
};

function encoded(scheme: Scheme, digits: number, { company, indicator, serial }: Numbers): string[] {
  if (!isNumber(serial) || BigInt(serial) >> BigInt(scheme.rest) !== 0n) return [];
  return companyBits.flatMap((bits, partition) => {
    const length = 12 - partition;
    const reference = indicator + company.slice(length);
    if (company.length + indicator.length !== digits) return [];
    const fields = (BigInt(company.slice(0, length)) << BigInt(scheme.bits - bits)) | BigInt(reference || '0');
    return withFilters(scheme, partition, (fields << BigInt(scheme.rest)) | BigInt(serial));
  });
}

function encodedAssets(data: string): string[] {
  return companyBits.flatMap((bits, partition) => {
    const length = 12 - partition;
    const reference = data.slice(length);
    const referenceBits = BigInt(giai.bits - bits);
    if (!isNumber(reference) || BigInt(reference) >> referenceBits !== 0n) return [];
    return withFilters(giai, partition, (BigInt(data.slice(0, length)) << referenceBits) | BigInt(reference));
  });
}

function withFilters({ header }: Scheme, partition: number, fields: bigint): string[] {
  return Array.from({ length: filters }, (_none, filter) => {
    const head = (BigInt(header) << 6n) | (BigInt(filter) << 3n) | BigInt(partition);
    return ((head << 82n) | fields).toString(16).toUpperCase().padStart(24, '0');
  });
}

/** Returns whether an EPC of 96 bits can hold a serial number, which must have no leading zeros. */
function isNumber(serial: string): boolean {
  return /^(?:0|[1-9]\d*)$/.test(serial);
}
