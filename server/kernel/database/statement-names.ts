const preparedTextsMax = 500;
const candidateTextsMax = 1000;

export type StatementNames = (query: { sql: string }) => string;

/**
 * Returns a function that names prepared statements. A text gets a name the second time it is seen, and keeps it; the
 * first time it runs unprepared, under the empty name. The number of names is limited because each connection keeps
 * every named statement, so texts that are used once get no name.
 */
export function createStatementNames(): StatementNames {
  const names = new Map<string, string>();
  const candidates = new Set<string>();
  return ({ sql }) => {
    const name = names.get(sql);
    if (name !== undefined) return name;
    if (names.size >= preparedTextsMax) return '';
    if (candidates.delete(sql)) {
      const next = `s${names.size + 1}`;
      names.set(sql, next);
      return next;
    }
    if (candidates.size >= candidateTextsMax) candidates.clear();
    candidates.add(sql);
    return '';
  };
}
