const lengths = new Set([8, 12, 13, 14]);

/**
 * Returns the 14-digit GTIN of an article, so that its barcodes with 8, 12, 13 and 14 digits are equal. Any other text,
 * or a number with a wrong check digit, is returned unchanged. The SQL function `gtin_form` does the same.
 */
export function gtinForm(value: string): string {
  if (!lengths.has(value.length) || !/^[0-9]+$/.test(value)) return value;
  const gtin = value.padStart(14, '0');
  return hasCheckDigit(gtin) ? gtin : value;
}

/** Returns whether the last digit of a GS1 number is its check digit. */
export function hasCheckDigit(digits: string): boolean {
  const sum = Array.from(digits)
    .reverse()
    .reduce((sum, digit, index) => sum + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}

/**
 * Returns the UPC-A number of a UPC-E number, which leaves out zeros and which most scanners send unchanged. Undefined for
 * other numbers, and for a wrong check digit.
 */
export function expandedUpcE(digits: string): string | undefined {
  const [, system = '', given = '', last = '', check = ''] = /^([01])(\d{5})(\d)(\d)$/.exec(digits) ?? [];
  // The last digit says where the zeros were left out.
  const zeros = Math.min(Math.max(Number(last), 2), 5);
  const restored = zeros === 2 ? `${last}0000` : zeros === 5 ? `0000${last}` : '00000';
  const number = system + given.slice(0, zeros) + restored + given.slice(zeros) + check;
  return given !== '' && hasCheckDigit(number) ? number : undefined;
}
