import { useLayoutEffect, useRef } from 'preact/hooks';
import { sanitizeText } from '../../core/index.ts';
import type { WireInput, WireRead, WireValue, WireView } from '../../features/reads/protocol.ts';
import type { Suggestion } from '../../messaging/panel.ts';
import { Combobox, type ComboboxProps, type InputText } from '../kit/combobox.tsx';
import { Field, type FieldProps } from '../kit/field.tsx';
import { CopyIcon } from '../kit/panelParts.tsx';
import { callHost } from '../kit/panelState.ts';
import { completeAddress, completeBool, completeMember } from '../kit/suggestions.ts';
import { completeJson, findJsonPlace, isJson } from './jsonCompletion.ts';
import {
  callView,
  changeArgument,
  getArguments,
  type ReadsState,
  toInputId,
  watchView,
} from './readsState.ts';

interface ViewsProps {
  readonly state: ReadsState;
  readonly views: readonly WireView[];
}

/** The functions without arguments, with their values. */
export function StateTable({ state, views }: ViewsProps) {
  const { strings, snapshot } = state;
  const { block, compared } = snapshot.value;
  if (views.length === 0) return null;
  const heading = (number: string | undefined) =>
    compared === undefined || number === undefined ? strings.value : `${strings.block} ${number}`;
  return (
    <table class="state" aria-label={strings.state}>
      <thead>
        <tr>
          <th scope="col">{strings.name}</th>
          <th scope="col">{heading(block)}</th>
          {compared !== undefined && <th scope="col">{heading(compared)}</th>}
          <th scope="col" class="type">
            {strings.type}
          </th>
        </tr>
      </thead>
      <tbody>
        {views.map((view) => (
          <tr key={view.id} class={view.differs ? 'differs' : ''} aria-busy={view.isLoading}>
            <th
              scope="row"
              title={view.signature}
              // Focused when it is shown.
              tabIndex={state.shown.value?.id === view.id ? -1 : undefined}
              // Readers say it before each value, so without the buttons.
              aria-label={view.differs ? `${view.name} ${strings.differs}` : view.name}
            >
              <Shown state={state} id={view.id} />
              {view.name}
              {view.differs && <span class="badge">{strings.differs}</span>}
              <span class="row-buttons">
                <WatchButton state={state} view={view} />
                {canCopyAs(view) && <CopyAs state={state} view={view} />}
              </span>
            </th>
            <td>
              <Read state={state} view={view} read={view.read} />
            </td>
            {compared !== undefined && (
              <td>
                <Read state={state} view={view} read={view.compared} />
              </td>
            )}
            <td class="type">{view.returns}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The functions with arguments, each with its form. */
export function FunctionSection({ state, views }: ViewsProps) {
  if (views.length === 0) return null;
  return (
    <section class="functions" aria-label={state.strings.functions}>
      {views.map((view) => (
        <FunctionForm key={view.id} state={state} view={view} />
      ))}
    </section>
  );
}

function FunctionForm({ state, view }: { readonly state: ReadsState; readonly view: WireView }) {
  const { strings, snapshot } = state;
  const { compared, block } = snapshot.value;
  const typed = getArguments(state, view);
  const failed = view.read?.state === 'failed' ? view.read : undefined;
  const isOpen = typed.some((text) => text !== '') || view.read !== undefined;
  return (
    <details class="callable" open={isOpen}>
      <summary>
        <Shown state={state} id={view.id} />
        <span class="name">{view.name}</span>
        <span class="signature">{view.signature.slice(view.name.length)}</span>
      </summary>
      <div class="form" role="group" aria-label={view.name}>
        {view.inputs.map((input, index) => (
          <ArgumentField
            key={input.name || index}
            state={state}
            input={input}
            id={toInputId(view.id, index)}
            label={input.name || `[${index}]`}
            type={input.type}
            placeholder={formatPlaceholder(input)}
            value={typed[index] ?? ''}
            hint={undefined}
            problem={failed?.input === index ? failed.message : undefined}
            onInput={(text) => changeArgument(state, view, index, text)}
            onLeave={() => undefined}
            onEnter={() => callView(state, view)}
          />
        ))}
        <div class="buttons">
          <button type="button" disabled={block === undefined} onClick={() => callView(state, view)}>
            {strings.read}
          </button>
          {view.read?.state === 'returned' && (
            <button type="button" title={strings.watchHint} onClick={() => watchView(state, view)}>
              {strings.watch}
            </button>
          )}
          {canCopyAs(view) && <CopyAs state={state} view={view} />}
        </div>
      </div>
      {(view.read !== undefined || view.isLoading) && failed?.input === undefined && (
        <div class={view.differs ? 'result differs' : 'result'} role="status" aria-busy={view.isLoading}>
          {compared !== undefined && <span class="block">{`${strings.block} ${block}`}</span>}
          <Read state={state} view={view} read={view.read} />
          {compared !== undefined && (
            <>
              <span class="block">{`${strings.block} ${compared}`}</span>
              <Read state={state} view={view} read={view.compared} />
            </>
          )}
        </div>
      )}
    </details>
  );
}

function ArgumentField({
  state,
  input,
  ...props
}: FieldProps & { readonly state: ReadsState; readonly input: WireInput }) {
  const suggest = chooseSuggestions(state, input);
  if (!suggest) return <Field {...props} />;
  return (
    <Combobox
      {...props}
      suggest={suggest}
      complete={(typed, value) => (isJson(input) ? completeJson(typed, input, value) : value)}
      listStrings={state.strings}
      version={state.snapshot.value.namesVersion}
    />
  );
}

/** Addresses, members of enums and the values of a bool are suggested; in JSON also names of members, and an example. */
function chooseSuggestions(state: ReadsState, input: WireInput): ComboboxProps['suggest'] | undefined {
  const { type, members } = input;
  if (isJson(input)) return (typed, options) => suggestInJson(state, { input, typed }, options);
  if (members.length > 0) return (typed) => completeMember(typed, members);
  if (type === 'bool') return completeBool;
  return type === 'address' ? (typed, options) => suggestAddresses(state, typed, options) : undefined;
}

export function suggestAddresses(
  { host }: ReadsState,
  typed: InputText,
  options: { readonly signal: AbortSignal },
): Promise<readonly Suggestion[]> {
  return completeAddress(typed, (name) => host.request('completeAddresses', name, options));
}

async function suggestInJson(
  state: ReadsState,
  { input, typed }: { readonly input: WireInput; readonly typed: InputText },
  options: { readonly signal: AbortSignal },
): Promise<readonly Suggestion[]> {
  const { input: expected, missing, text } = findJsonPlace(typed, input);
  const place = { ...typed, text };
  if (missing.length > 0)
    return completeMember(
      place,
      missing.map(({ name, type }) => ({ value: name, label: name, detail: type })),
    );
  if (expected && isJson(expected)) {
    const { example, type } = expected;
    return typed.isRequested && text === '' ? [{ value: example, label: example, detail: type }] : [];
  }
  return (expected && chooseSuggestions(state, expected)?.(place, options)) ?? [];
}

function WatchButton({ state, view }: { readonly state: ReadsState; readonly view: WireView }) {
  const { watchHint } = state.strings;
  return (
    <button
      type="button"
      class="plain"
      title={watchHint}
      aria-label={`${watchHint}: ${view.name}`}
      onClick={() => watchView(state, view)}
    >
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path
          d="M1.5 8c1.5-2.7 3.8-4 6.5-4s5 1.3 6.5 4c-1.5 2.7-3.8 4-6.5 4s-5-1.3-6.5-4Z"
          fill="none"
          stroke="currentColor"
          stroke-linejoin="round"
        />
        <circle cx="8" cy="8" r="1.8" fill="none" stroke="currentColor" />
      </svg>
    </button>
  );
}

/** Whether its last read reached the contract. */
function canCopyAs({ read }: WireView): boolean {
  return read?.state === 'returned' || (read?.state === 'failed' && read.input === undefined);
}

function CopyAs({ state, view }: { readonly state: ReadsState; readonly view: WireView }) {
  const { copyAs } = state.strings;
  return (
    <button
      type="button"
      class="plain"
      aria-label={`${copyAs} ${view.name}`}
      onClick={() => void callHost(state, 'copyAs', view.id)}
    >
      {copyAs}
    </button>
  );
}

function formatPlaceholder({ example, members }: WireInput): string {
  return members.length > 0 ? members.map(({ label }) => label).join(', ') : example;
}

/** What a function returned, or why it did not. */
function Read({
  state,
  view,
  read,
}: {
  readonly state: ReadsState;
  readonly view: WireView;
  readonly read: WireRead | undefined;
}) {
  const { strings } = state;
  if (read === undefined) return <span class="pending">{view.isLoading ? '…' : ''}</span>;
  if (read.state === 'failed') return <span class="failed">{read.message}</span>;
  return (
    <>
      {read.values.length === 0 && <span class="pending">{strings.nothing}</span>}
      {read.values.map((value, index) => (
        <Value
          key={index}
          state={state}
          value={value}
          isNamed={read.values.length > 1 || value.name !== ''}
        />
      ))}
      {read.note && <span class="note">{read.note}</span>}
    </>
  );
}

/** An integer of any size. */
const MAX_TITLE_CHARS = 300;

/** A value on one line; a struct or a list opens as a tree. */
function Value({
  state,
  value,
  isNamed,
}: {
  readonly state: ReadsState;
  readonly value: WireValue;
  readonly isNamed: boolean;
}) {
  const label = isNamed && value.name !== '' && <span class="label">{value.name}</span>;
  const copy = (
    <button
      type="button"
      class="plain copy"
      title={state.strings.copy}
      aria-label={`${state.strings.copy} ${value.name}`.trim()}
      onClick={() => void callHost(state, 'copyText', value.exact)}
    >
      <CopyIcon />
    </button>
  );
  if (!value.parts) {
    return (
      <div class="value">
        {label}
        <span class="text" title={sanitizeText(value.exact, MAX_TITLE_CHARS)}>
          {value.text === '' ? '""' : value.text}
        </span>
        {copy}
      </div>
    );
  }
  return (
    <div class="value">
      <details>
        <summary>
          {label}
          <span class="text">{value.text}</span>
        </summary>
        <ul>
          {value.parts.map((part, index) => (
            <li key={index}>
              <Value state={state} value={part} isNamed />
            </li>
          ))}
        </ul>
      </details>
      {copy}
    </div>
  );
}

/** Scrolls to the function that a command asked for, and focuses its first field or its row, once. */
function Shown({ state, id }: { readonly state: ReadsState; readonly id: string }) {
  const mark = useRef<HTMLSpanElement>(null);
  const shown = state.shown.value;
  useLayoutEffect(() => {
    if (shown?.id !== id || shown.isReached) return;
    shown.isReached = true;
    const place = mark.current?.closest('tr, details');
    if (place instanceof HTMLDetailsElement) place.open = true;
    place?.scrollIntoView({ block: 'center' });
    place?.querySelector<HTMLElement>('th, input, textarea')?.focus({ preventScroll: true });
  }, [shown]);
  return <span ref={mark} />;
}
