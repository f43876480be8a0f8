import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useTypedText } from './use-typed-text.js';

const pauseMs = 200;

type SearchFieldProps = Pick<TextInputProps, 'label' | 'aria-label' | 'placeholder' | 'spellCheck'> & {
  /** The text in the address. */
  q: string;
  /** Gets what was typed, without blanks around it, once the person pauses. */
  onSearch: (q: string) => void;
};

/** A field for the search text of a page, which the address keeps. */
export function SearchField({ q, onSearch, ...rest }: SearchFieldProps) {
  const [text, setText] = useTypedText(q);
  const search = useDebouncedCallback((next: string) => onSearch(next.trim()), pauseMs);
  return (
    <TextInput
      {...rest}
      leftSection={<IconSearch size={16} aria-hidden />}
      maxLength={255}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
    />
  );
}
