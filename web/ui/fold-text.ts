/** Returns a text without the differences that the app ignores when it searches in its own lists: case, full width, ß and ss. */
export function foldText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/i\u0307|ı/g, 'i');
}
