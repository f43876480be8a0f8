import { t } from '@lingui/core/macro';
import { Combobox, Group, InputBase, Loader, ScrollArea, Text, useCombobox } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { UserText } from './user-text.js';
import { lowerCase } from './lower-case.js';

/** An entry to choose, with a detail that distinguishes it from entries with the same name. */
export type Choice = { id: number; label: string; detail?: string };

export type SearchSelectProps = {
  label: string;
  /** Whether the label is only for screen readers, such as in a table with headers. */
  isLabelHidden?: boolean;
  size?: 'xs' | 'sm';
  description?: ReactNode;
  placeholder?: string;
  error?: ReactNode;
  required?: boolean;
  disabled?: boolean;
  /** False within a popover, for which a click on choices in a portal would be a click outside of it. */
  withinPortal?: boolean;
  value: Choice | null;
  onChange: (choice: Choice | null) => void;
  /** The typed text, for which the service finds the choices. */
  search: string;
  onSearch: (search: string) => void;
  choices: readonly Choice[];
  /** Whether the choices are still from the previous text. They can be clicked, but Enter does not choose one. */
  isLoading: boolean;
  /** The text if nothing is found. */
  nothing: string;
  /** Whether a typed text stays when the field loses the focus, as it does when a phone is scrolled. */
  keepsSearch?: boolean;
};

/** A select that searches on the server. */
export function SearchSelect(props: SearchSelectProps) {
  const { label, value, onChange, search, onSearch, choices, isLoading, nothing, disabled = false } = props;
  const [isOpen, setOpen] = useState(false);
  // Whether Enter was pressed while the choices were from the previous text; it then applies to the next choices.
  const isFirstWanted = useRef(false);
  const combobox = useCombobox({
    opened: isOpen,
    onDropdownClose: () => combobox.resetSelectedOption(),
  });

  const { selectFirstOption } = combobox;
  useEffect(() => {
    if (isLoading || !isFirstWanted.current) return;
    isFirstWanted.current = false;
    selectFirstOption();
  }, [isLoading, selectFirstOption]);

  function show(): void {
    setOpen(true);
    combobox.updateSelectedOptionIndex();
  }

  function hide(): void {
    setOpen(false);
    isFirstWanted.current = false;
    if (!props.keepsSearch) onSearch('');
  }

  function choose(id: string): void {
    const chosen = choices.find((choice) => String(choice.id) === id);
    if (chosen) onChange(chosen);
    setOpen(false);
    isFirstWanted.current = false;
    onSearch('');
  }

  return (
    <Combobox store={combobox} onOptionSubmit={choose} withinPortal={props.withinPortal ?? true}>
      <Combobox.Target withKeyboardNavigation={!isLoading}>
        <InputBase
          {...(props.isLabelHidden ? { 'aria-label': label } : { label })}
          size={props.size ?? 'sm'}
          description={props.description}
          error={props.error}
          required={props.required ?? false}
          disabled={disabled}
          placeholder={value ? value.label : (props.placeholder ?? t`Type to search`)}
          value={isOpen ? search : (value?.label ?? (props.keepsSearch ? search : ''))}
          onChange={(event) => {
            onSearch(event.currentTarget.value);
            show();
          }}
          onFocus={show}
          onClick={show}
          onBlur={hide}
          onKeyDown={(event) => {
            if (isLoading && isOpen && event.key === 'ArrowDown') {
              event.preventDefault();
              isFirstWanted.current = true;
            }
            // The button that clears the field is not reached by the keyboard.
            if (event.key === 'Backspace' && search === '' && value && !disabled) onChange(null);
            // Enter would submit the form without the typed choice.
            if (isLoading && isOpen && event.key === 'Enter') event.preventDefault();
          }}
          rightSectionPointerEvents={value && !disabled ? 'all' : 'none'}
          rightSection={
            isLoading && isOpen ? (
              <Loader size={16} />
            ) : value && !disabled ? (
              <Combobox.ClearButton aria-label={t`Clear ${lowerCase(label)}`} onClear={() => onChange(null)} />
            ) : (
              <Combobox.Chevron />
            )
          }
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options aria-label={label} aria-busy={isLoading}>
          <ScrollArea.Autosize mah={280} type="scroll">
            {choices.map((choice) => (
              <Combobox.Option key={choice.id} value={String(choice.id)} active={choice.id === value?.id}>
                <Group gap={6} wrap="nowrap" justify="space-between">
                  <UserText lines={1}>{choice.label}</UserText>
                  {choice.detail && (
                    <Text size="xs" c="dimmed" maw="60%" component="div">
                      <UserText lines={1}>{choice.detail}</UserText>
                    </Text>
                  )}
                </Group>
              </Combobox.Option>
            ))}
            {choices.length === 0 && <Combobox.Empty>{isLoading ? t`Searching …` : nothing}</Combobox.Empty>}
          </ScrollArea.Autosize>
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
