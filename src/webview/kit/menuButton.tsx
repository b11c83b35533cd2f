import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** A button that opens a menu below it, by the ARIA menu button pattern. */
export function MenuButton({ name, items }: MenuButtonProps) {
  const isOpen = useSignal(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const listItems = () => [...(box.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];
  useLayoutEffect(() => {
    if (isOpen.value) listItems()[0]?.focus();
  }, [isOpen.value]);
  const close = (): void => {
    isOpen.value = false;
    button.current?.focus();
  };
  if (items.length === 0) return null;
  return (
    <div ref={box} class="menu-box">
      <button
        ref={button}
        type="button"
        class="menu-button"
        aria-label={name}
        title={name}
        aria-haspopup="menu"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || isOpen.value) return;
          isOpen.value = true;
          event.preventDefault();
        }}
      >
        <span aria-hidden="true">⋯</span>
      </button>
      {isOpen.value && (
        <div
          class="menu"
          role="menu"
          aria-label={name}
          onFocusOut={({ relatedTarget }) => {
            if (!(relatedTarget instanceof Node && box.current?.contains(relatedTarget)))
              isOpen.value = false;
          }}
          onKeyDown={(event) => {
            const shown = listItems();
            const focused = shown.indexOf(event.target as HTMLElement);
            const next = findItemAfterKey(event.key, focused, shown.length);
            if (event.key === 'Escape') close();
            else if (next !== undefined) shown[next]?.focus();
            else return;
            event.preventDefault();
            event.stopPropagation();
          }}
        >
          {items.map(({ label, isChecked, isDisabled, run }) => (
            <button
              key={label}
              type="button"
              {...getItemRole(isChecked)}
              aria-disabled={isDisabled}
              tabIndex={-1}
              onClick={() => {
                if (isDisabled) return;
                close();
                run();
              }}
            >
              <span class="check" aria-hidden="true">
                {isChecked && '✓'}
              </span>
              {label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

interface MenuButtonProps {
  /** Accessible name. */
  readonly name: string;
  readonly items: readonly MenuItem[];
}

export interface MenuItem {
  readonly label: string;
  /** Set for an item that turns something on and off. */
  readonly isChecked?: boolean;
  readonly isDisabled?: boolean;
  readonly run: () => void;
}

function getItemRole(isChecked: boolean | undefined) {
  return isChecked === undefined
    ? ({ role: 'menuitem' } as const)
    : ({ role: 'menuitemcheckbox', 'aria-checked': isChecked } as const);
}

/** The item that a key moves to; undefined for other keys. */
function findItemAfterKey(key: string, focused: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return (focused + 1) % count;
    case 'ArrowUp':
      return (Math.max(0, focused) + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
