import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fillTemplate } from '../../messaging/panel.ts';
import { FieldNote, type FieldProps, findNoteId } from './field.tsx';
import { createLatestRequest } from './panelState.ts';

/**
 * A labelled text field with a list of suggestions: https://www.w3.org/WAI/ARIA/apg/patterns/combobox/. The first
 * choice is active once something is typed that it completes. Down and up move in the list. Enter and Tab take the
 * active choice; without one, Enter submits. Escape closes the list. The typed text is not changed until a choice is
 * taken.
 */
export function Combobox(props: ComboboxProps) {
  const { id, label, problem, suggest, complete, listStrings, oneLine = joinLines } = props;
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [latestRequest] = useState(createLatestRequest);
  const [choices, setChoices] = useState<readonly Choice[]>([]);
  const [active, setActive] = useState(-1);
  // The active choice, for results that arrive later.
  const activeValue = useRef<string | undefined>(undefined);
  activeValue.current = choices[active]?.value;
  // How the list was last requested; undefined while it is closed.
  const requested = useRef<{ readonly byKey: boolean } | undefined>(undefined);
  // Settles with the active choice of the last request, for an Enter that comes before its result.
  const pending = useRef<Promise<Choice | undefined>>(Promise.resolve(undefined));
  const isOpen = choices.length > 0;
  // An input has one line.
  const value = /[\r\n]/.test(props.value) ? oneLine(props.value) : props.value;

  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const place = () => {
      if (!input.current || !list.current) return;
      // The validation error stays visible.
      const error = input.current.parentElement?.querySelector<HTMLElement>('.problem');
      placeListBelow(input.current, list.current, error ?? input.current);
    };
    place();
    const listeners = new AbortController();
    addEventListener('resize', place, { signal: listeners.signal });
    addEventListener('scroll', place, { signal: listeners.signal, capture: true });
    return () => listeners.abort();
  }, [isOpen, problem]);
  useLayoutEffect(() => {
    if (active >= 0) list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const getInput = (isRequested: boolean): InputText => ({
    text: input.current?.value ?? '',
    caret: input.current?.selectionStart ?? 0,
    isRequested,
  });
  const close = () => {
    latestRequest.cancel();
    requested.current = undefined;
    pending.current = Promise.resolve(undefined);
    setChoices([]);
    setActive(-1);
  };
  const readChoices = async (isRequested: boolean): Promise<Choice | undefined> => {
    requested.current = { byKey: isRequested };
    const found = await latestRequest.run((options) => suggest(getInput(isRequested), options));
    if (!found || document.activeElement !== input.current) return undefined;
    const activeIndex = found.findIndex((choice) => choice.value === activeValue.current);
    const next = activeIndex < 0 && found.length > 0 ? 0 : activeIndex;
    setChoices(found);
    setActive(next);
    return found[next];
  };
  const fetchChoices = (isRequested: boolean) => {
    pending.current = readChoices(isRequested);
    return pending.current;
  };
  useEffect(() => {
    if (requested.current) void fetchChoices(requested.current.byKey);
  }, [props.version]);
  const take = (choice: Choice) => {
    close();
    props.onInput(complete(getInput(true), choice.value));
    input.current?.focus();
  };
  const move = (step: 1 | -1) => {
    // Cycles through the field itself and all choices.
    const positions = choices.length + 1;
    setActive(((active + 1 + step + positions) % positions) - 1);
  };
  const enter = async () => {
    const choice = choices[active] ?? (await pending.current);
    if (choice) return take(choice);
    close();
    props.onEnter();
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const choice = choices[active];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (isOpen) move(event.key === 'ArrowDown' ? 1 : -1);
      else void fetchChoices(true);
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      void enter();
    } else if (event.key === 'Tab' && choice) take(choice);
  };

  return (
    <div class={`field ${id}`}>
      <label for={id}>{label}</label>
      {props.type && <span class="type">{props.type}</span>}
      <input
        ref={input}
        id={id}
        type="text"
        role="combobox"
        spellcheck={false}
        autocomplete="off"
        placeholder={props.placeholder}
        value={value}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
        aria-invalid={problem !== undefined}
        title={props.info}
        aria-describedby={findNoteId(props)}
        onInput={(event) => {
          props.onInput(event.currentTarget.value);
          setActive(-1);
          void fetchChoices(false);
        }}
        onPaste={(event) => pasteOnOneLine(event, oneLine)}
        onBlur={() => {
          close();
          props.onLeave();
        }}
        onKeyDown={handleKey}
      />
      {isOpen && (
        <div ref={list} id={`${id}-list`} class="choices" role="listbox" aria-label={listStrings.suggestions}>
          {choices.map((choice, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
            <div
              key={choice.value}
              id={`${id}-${index}`}
              class="choice"
              role="option"
              aria-selected={index === active}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(choice)}
            >
              <span class="what">{choice.label}</span>
              <span class="detail">{choice.detail}</span>
            </div>
          ))}
        </div>
      )}
      <span class="unseen" aria-live="polite">
        {isOpen ? fillTemplate(listStrings.suggestionCount, String(choices.length)) : ''}
      </span>
      <FieldNote {...props} />
    </div>
  );
}

export interface ComboboxProps extends FieldProps {
  /** Fetches the choices. Only the result of the latest call is used. */
  readonly suggest: (
    typed: InputText,
    options: { readonly signal: AbortSignal },
  ) => Promise<readonly Choice[]>;
  /** Increases when the choices may have changed: an open list is fetched again. */
  readonly version: number;
  /** Inserts the chosen value into the text. */
  readonly complete: (typed: InputText, value: string) => string;
  /** Joins pasted lines, as the input has only one; default: with spaces. */
  readonly oneLine?: (text: string) => string;
  readonly listStrings: { readonly suggestions: string; readonly suggestionCount: string };
}

/** The typed text and the position of the caret. */
export interface InputText {
  readonly text: string;
  readonly caret: number;
  /** The user requested the list by key: it opens whatever the text is. */
  readonly isRequested: boolean;
}

/** One suggestion of the list. */
export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly detail: string;
}

function joinLines(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}

/** Places a list below `lowest`, over the page: inside of the form, which scrolls, it would be cut off. */
function placeListBelow(input: HTMLElement, list: HTMLElement, lowest: HTMLElement): void {
  const { left, width } = input.getBoundingClientRect();
  const { bottom } = lowest.getBoundingClientRect();
  const availableWidth = innerWidth - left - LIST_MARGIN_PX;
  list.style.setProperty('left', `${left}px`);
  list.style.setProperty('top', `${bottom}px`);
  list.style.setProperty('width', `${Math.min(availableWidth, Math.max(width, MIN_LIST_WIDTH_PX))}px`);
  list.style.setProperty(
    'max-height',
    `${Math.min(MAX_LIST_HEIGHT_PX, innerHeight - bottom - LIST_MARGIN_PX)}px`,
  );
}

/** Distance to the edge of the page. */
const LIST_MARGIN_PX = 8;

/** Wider than a narrow field, so that long choices seldom wrap. */
const MIN_LIST_WIDTH_PX = 560;
const MAX_LIST_HEIGHT_PX = 330;

/** Keeps the lines of a pasted list apart: the input itself would join them. */
function pasteOnOneLine(event: ClipboardEvent, oneLine: (text: string) => string): void {
  const text = event.clipboardData?.getData('text/plain') ?? '';
  const input = event.currentTarget;
  if (!/[\r\n]/.test(text) || !(input instanceof HTMLInputElement)) return;
  event.preventDefault();
  const { selectionStart, selectionEnd } = input;
  input.setRangeText(oneLine(text.trim()), selectionStart ?? 0, selectionEnd ?? 0, 'end');
  input.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
