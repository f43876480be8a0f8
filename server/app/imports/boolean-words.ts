/** What spreadsheets and people write for true, in the languages of the spreadsheets' menus. */
const yes = [
  ...['true', 'yes', 'y', '1', 'x', 'on', 'active', 'enabled'],
  ...[
    'wahr',
    'ja',
    'j',
    'aktiv',
    'an',
    'vrai',
    'oui',
    'actif',
    'verdadero',
    'sí',
    'si',
    'activo',
    'vero',
    'sì',
    'attivo',
  ],
  ...[
    'verdadeiro',
    'sim',
    'ativo',
    'waar',
    'actief',
    'sand',
    'sant',
    'sann',
    'tosi',
    'kyllä',
    'prawda',
    'tak',
    'pravda',
    'ano',
  ],
  // Turkish (`YANLIŞ` and `HAYIR` have an i in lower case elsewhere), Hungarian, Romanian, Russian, Ukrainian, Greek; PostgreSQL's; a check mark.
  ...['doğru', 'evet', 'igaz', 'igen', 'adevărat', 'da', 'истина', 'да', 'істина', 'так', 'αληθης', 'ναι', 't', '✓', '✔'],
];
const no = [
  ...['false', 'no', 'n', '0', 'off', 'inactive', 'disabled'],
  ...['falsch', 'nein', 'inaktiv', 'aus', 'faux', 'non', 'inactif', 'falso', 'inactivo', 'inattivo'],
  ...[
    'não',
    'inativo',
    'onwaar',
    'nee',
    'inactief',
    'falsk',
    'falskt',
    'usann',
    'nej',
    'nei',
    'epätosi',
    'ei',
    'fałsz',
    'nie',
  ],
  ...['nepravda', 'ne'],
  ...['yanlış', 'yanliş', 'hayır', 'hayir', 'hamis', 'nem', 'fals', 'nu', 'ложь', 'нет', 'хибність', 'ні', 'ψευδης', 'όχι', 'οχι', 'f'],
];

const meanings = new Map([...yes.map((word) => [word, true] as const), ...no.map((word) => [word, false] as const)]);

/** Returns what a word of a person or a spreadsheet means, in any case; undefined if it is neither yes nor no. */
export function booleanOf(word: string): boolean | undefined {
  return meanings.get(word.normalize('NFC').toLowerCase());
}
