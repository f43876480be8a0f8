import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';

const choicesMax = 8;
const pauseMs = 150;

/** Returns the text in a `SearchSelect`, and the text to search for, which follows once the person pauses. */
export function useChoiceSearch() {
  const [search, onSearch] = useState('');
  const typed = search.trim();
  const [q] = useDebouncedValue(typed, pauseMs);
  const input: { q?: string; limit: number } = { ...(q ? { q } : {}), limit: choicesMax };
  return { field: { search, onSearch }, input, isTyping: q !== typed };
}
