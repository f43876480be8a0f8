import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';

const choicesMax = 8;
const pauseMs = 150;

/** Returns what is typed into a `SearchSelect`, and what to ask the service for once the person pauses. */
export function useChoiceSearch() {
  const [search, onSearch] = useState('');
  const typed = search.trim();
  const [q] = useDebouncedValue(typed, pauseMs);
  const input: { q?: string; limit: number } = { ...(q ? { q } : {}), limit: choicesMax };
  return { field: { search, onSearch }, input, isTyping: q !== typed };
}
