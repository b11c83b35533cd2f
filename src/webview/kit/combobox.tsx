import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fillTemplate } from '../../messaging/panel.ts';
import { FieldNote, type FieldProps, findNoteId } from './field.tsx';
import { createLatestRequest } from './panelState.ts';

interface ComboboxProps extends FieldProps {
  /** What is offered; an answer that comes after a later question is dropped. */
  readonly suggest: (
    typed: InputText,
    options: { readonly signal: AbortSignal },
  ) => Promise<readonly Choice[]>;
  /** Goes up when other choices may be offered: a list that is wanted is asked for anew. */
  readonly version: number;
  /** The text with what was chosen in it. */
  readonly complete: (typed: InputText, value: string) => string;
  /** What several lines become in its one; by default their words follow each other. */
  readonly oneLine?: (text: string) => string;
  readonly listStrings: { readonly suggestions: string; readonly suggestionCount: string };
}

/**
 * A labelled text field with a list of what may be meant: https://www.w3.org/WAI/ARIA/apg/patterns/combobox/. Down and
 * up choose from it, Enter takes what is chosen and else acts, Escape closes it. What is typed stays as it is typed.
 */
export function Combobox(props: ComboboxProps) {
  const { id, label, problem, suggest, complete, listStrings, oneLine = joinLines } = props;
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [latest] = useState(createLatestRequest);
  const [choices, setChoices] = useState<readonly Choice[]>([]);
  const [active, setActive] = useState(-1);
  // What is chosen by now, for answers that come later.
  const chosen = useRef<string | undefined>(undefined);
  chosen.current = choices[active]?.value;
  // How the list was last asked for, as long as it is wanted.
  const asked = useRef<{ readonly byKey: boolean } | undefined>(undefined);
  const isOpen = choices.length > 0;
  // An input has one line.
  const value = /[\r\n]/.test(props.value) ? oneLine(props.value) : props.value;

  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const place = () => {
      if (!input.current || !list.current) return;
      // What is wrong with the text stays in sight.
      const note = problem === undefined ? null : document.getElementById(findNoteId(props) ?? '');
      placeListBelow(input.current, list.current, note ?? input.current);
    };
    place();
    const moves = new AbortController();
    addEventListener('resize', place, { signal: moves.signal });
    addEventListener('scroll', place, { signal: moves.signal, capture: true });
    return () => moves.abort();
  }, [isOpen, problem]);
  useLayoutEffect(() => {
    if (active >= 0) list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const typed = (wanted: boolean): InputText => ({
    text: input.current?.value ?? '',
    caret: input.current?.selectionStart ?? 0,
    isRequested: wanted,
  });
  const close = () => {
    latest.cancel();
    asked.current = undefined;
    setChoices([]);
    setActive(-1);
  };
  const ask = async (wanted: boolean) => {
    asked.current = { byKey: wanted };
    const found = await latest.run((options) => suggest(typed(wanted), options));
    if (!found || document.activeElement !== input.current) return;
    const kept = found.findIndex((choice) => choice.value === chosen.current);
    setChoices(found);
    setActive(kept < 0 && wanted && found.length > 0 ? 0 : kept);
  };
  useEffect(() => {
    if (asked.current) void ask(asked.current.byKey);
  }, [props.version]);
  const take = (choice: Choice) => {
    close();
    props.onInput(complete(typed(true), choice.value));
    input.current?.focus();
  };
  const move = (step: 1 | -1) => {
    // From the field itself, which counts as one, down to the last and round.
    const places = choices.length + 1;
    setActive(((active + 1 + step + places) % places) - 1);
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const choice = choices[active];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (isOpen) move(event.key === 'ArrowDown' ? 1 : -1);
      else void ask(true);
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (choice) return take(choice);
      close();
      props.onEnter();
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
          void ask(false);
        }}
        onPaste={(event) => pasteOnOneLine(event, oneLine)}
        onBlur={({ relatedTarget }) => {
          close();
          if (!(relatedTarget instanceof HTMLButtonElement)) props.onLeave();
        }}
        onKeyDown={pressed}
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

/** What a list offers. */
export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly detail: string;
}

/** What is typed, and where the caret stands in it. */
export interface InputText {
  readonly text: string;
  readonly caret: number;
  /** The list was asked for by a key: it is wanted whatever is typed. */
  readonly isRequested: boolean;
}

/** Between the list and the border of the page, in pixels. */
const LIST_MARGIN_PX = 8;
/** Wider than a narrow field, so that what is long breaks seldom; and not down over all of the page. */
const MIN_LIST_WIDTH_PX = 560;
const MAX_LIST_HEIGHT_PX = 330;

/** Puts a list below its field, or what is below that, over the page: the form scrolls by itself and would cut it off. */
function placeListBelow(input: HTMLElement, list: HTMLElement, lowest: HTMLElement): void {
  const { left, width } = input.getBoundingClientRect();
  const { bottom } = lowest.getBoundingClientRect();
  const room = innerWidth - left - LIST_MARGIN_PX;
  list.style.setProperty('left', `${left}px`);
  list.style.setProperty('top', `${bottom}px`);
  list.style.setProperty('width', `${Math.min(room, Math.max(width, MIN_LIST_WIDTH_PX))}px`);
  list.style.setProperty(
    'max-height',
    `${Math.min(MAX_LIST_HEIGHT_PX, innerHeight - bottom - LIST_MARGIN_PX)}px`,
  );
}

/** Keeps the lines of a pasted list apart: an input joins them else. */
function pasteOnOneLine(event: ClipboardEvent, oneLine: (text: string) => string): void {
  const text = event.clipboardData?.getData('text/plain') ?? '';
  const input = event.currentTarget;
  if (!/[\r\n]/.test(text) || !(input instanceof HTMLInputElement)) return;
  event.preventDefault();
  const { selectionStart, selectionEnd } = input;
  input.setRangeText(oneLine(text.trim()), selectionStart ?? 0, selectionEnd ?? 0, 'end');
  input.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

function joinLines(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}
