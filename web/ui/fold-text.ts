/** Returns a text in the form in which the app compares texts by itself, as the service does when it searches. */
export function foldText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/i\u0307|ı/g, 'i');
}
