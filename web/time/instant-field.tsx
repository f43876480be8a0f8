import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNow } from '../ui/times.js';
import { instantText, localInstant, localText } from './instant.js';

type InstantFieldProps = { label: string; at: string; onChange: (at: string) => void };

/** A past instant. The input is applied when the field loses focus, or with Enter. */
export function InstantField({ label, at, onChange }: InstantFieldProps) {
  const nowMs = useNow();
  const before = localText(Date.parse(at)).slice(0, 16);
  const [typed, setTyped] = useState(before);

  function choose(): void {
    const ms = localInstant(typed);
    if (typed !== before && !Number.isNaN(ms)) onChange(instantText(Math.min(ms, Date.now())));
  }

  return (
    <TextInput
      type="datetime-local"
      label={label}
      value={typed}
      max={localText(nowMs).slice(0, 16)}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={choose}
      onKeyDown={(event) => {
        if (event.key === 'Enter') choose();
      }}
    />
  );
}
