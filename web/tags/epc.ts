/** The object that the EPC of an RFID tag identifies, in the form that people know (GS1 EPC Tag Data Standard 2.1). */
export type Epc = {
  /** The name that GS1 uses for the number, such as GTIN. */
  kind: 'GTIN' | 'SSCC' | 'GLN' | 'GRAI' | 'GIAI' | 'GSRN' | 'GDTI';
  /** With its check digit, where the number has one. */
  number: string;
  serial?: string;
  /** The pure identity, such as `urn:epc:id:sgtin:0614141.812345.6789`. */
  uri: string;
};

/**
 * Bits of the company prefix for each partition. The prefix has 12 digits in the first partition, and one digit less in
 * each further partition.
 */
const companyBits = [40, 37, 34, 30, 27, 24, 20];

type Scheme = {
  kind: Epc['kind'];
  urn: string;
  /** Bits of the company prefix and of the reference together, and their digits. */
  bits: number;
  digits: number;
  /** Bits of the serial number; `text` has seven bits for each character. */
  serial?: number;
  isText?: true;
};

const schemes: Readonly<Record<string, Scheme>> = {
  '30': { kind: 'GTIN', urn: 'sgtin', bits: 44, digits: 13, serial: 38 },
  '36': { kind: 'GTIN', urn: 'sgtin', bits: 44, digits: 13, serial: 140, isText: true },
  '31': { kind: 'SSCC', urn: 'sscc', bits: 58, digits: 17 },
  '32': { kind: 'GLN', urn: 'sgln', bits: 41, digits: 12, serial: 41 },
  '33': { kind: 'GRAI', urn: 'grai', bits: 44, digits: 12, serial: 38 },
  '34': { kind: 'GIAI', urn: 'giai', bits: 82, digits: 25 },
  '2D': { kind: 'GSRN', urn: 'gsrn', bits: 58, digits: 17 },
  '2C': { kind: 'GDTI', urn: 'gdti', bits: 41, digits: 12, serial: 41 },
};

/**
 * Returns what an EPC identifies, or undefined for any other value: a value of another scheme or length, or with fields
 * out of range, such as a chip number that begins like an EPC.
 */
export function epcOf(value: string): Epc | undefined {
  const hex = value.replaceAll(/0x|[ :-]/gi, '').toUpperCase();
  const scheme = /^[0-9A-F]+$/.test(hex) ? schemes[hex.slice(0, 2)] : undefined;
  if (!scheme || !(scheme.isText ? [50, 52] : [24]).includes(hex.length)) return undefined;
  const bits = hex.replaceAll(/./g, (digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0'));
  const partition = Number.parseInt(bits.slice(11, 14), 2);
  const first = companyBits[partition];
  if (first === undefined) return undefined;
  const companyDigits = 12 - partition;
  const company = digitsOf(bits.slice(14, 14 + first), companyDigits);
  const end = 14 + scheme.bits;
  const rest = bits.slice(14 + first, end);
  const serialEnd = end + (scheme.serial ?? 0);
  // The remaining bits are reserved.
  if (company === undefined || /1/.test(bits.slice(serialEnd))) return undefined;
  if (scheme.kind === 'GIAI') {
    const reference = String(BigInt(`0b${rest}`));
    if (reference.length > scheme.digits - companyDigits) return undefined;
    return { kind: 'GIAI', number: company + reference, uri: `urn:epc:id:giai:${company}.${reference}` };
  }
  const reference = digitsOf(rest, scheme.digits - companyDigits);
  const serialBits = bits.slice(end, serialEnd);
  const serial = scheme.isText ? textOf(serialBits) : serialBits === '' ? '' : String(BigInt(`0b${serialBits}`));
  if (reference === undefined || serial === undefined) return undefined;
  // In these two schemes the first digit of the reference is before the company prefix.
  const isRotated = scheme.kind === 'GTIN' || scheme.kind === 'SSCC';
  const number = isRotated ? reference.slice(0, 1) + company + reference.slice(1) : company + reference;
  const escaped = serial.replaceAll(/["%&/<>?]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const fields = [company, reference, ...(serial === '' ? [] : [escaped])];
  return {
    kind: scheme.kind,
    number: (scheme.kind === 'GRAI' ? '0' : '') + number + checkDigit(number),
    ...(serial !== '' && !(scheme.kind === 'GLN' && serial === '0') && { serial }),
    uri: `urn:epc:id:${scheme.urn}:${fields.join('.')}`,
  };
}

/** Returns a number with leading zeros, or undefined if it has more digits. */
function digitsOf(bits: string, digits: number): string | undefined {
  const number = bits === '' ? 0n : BigInt(`0b${bits}`);
  if (digits === 0) return number === 0n ? '' : undefined;
  const text = String(number).padStart(digits, '0');
  return text.length === digits ? text : undefined;
}

/** Returns a text with seven bits for each character, up to the first 0; undefined if a character is not allowed. */
function textOf(bits: string): string | undefined {
  const codes = (bits.match(/.{7}/g) ?? []).map((code) => Number.parseInt(code, 2));
  const end = codes.indexOf(0);
  const used = end === -1 ? codes : codes.slice(0, end);
  if (end !== -1 && codes.slice(end).some((code) => code !== 0)) return undefined;
  const text = String.fromCharCode(...used);
  return /^[!"%-?A-Z_a-z]+$/.test(text) ? text : undefined;
}

function checkDigit(digits: string): number {
  const sum = Array.from(digits).reduceRight(
    (total, digit, index) => total + Number(digit) * ((digits.length - index) % 2 === 1 ? 3 : 1),
    0,
  );
  return (10 - (sum % 10)) % 10;
}
