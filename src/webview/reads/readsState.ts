import { batch, type Signal, signal } from '@preact/signals';
import type {
  ReadsForm,
  ReadsHost,
  ReadsOpening,
  ReadsSnapshot,
  ReadsStrings,
  ReadsViewState,
  TypedCall,
  WireRead,
  WireValue,
  WireView,
} from '../../features/reads/protocol.ts';
import type { Channel } from '../../messaging/channel.ts';
import { callHost, createPanelState, type PanelState } from '../kit/panelState.ts';

/** What the panel shows, and what the user has typed. */
export interface ReadsState extends PanelState<ReadsHost, ReadsSnapshot, ReadsStrings> {
  readonly block: Signal<string>;
  readonly compare: Signal<string>;
  readonly from: Signal<string>;
  readonly filter: Signal<string>;
  /** What is typed for the arguments of each function. */
  readonly args: Signal<Readonly<Record<string, readonly string[]>>>;
  readonly declaration: Signal<string>;
  readonly declared: Signal<readonly string[]>;
  /** The function that a command asked for: shown whatever the filter is, until another filter is typed. */
  readonly shown: Signal<ShownFunction | undefined>;
}

interface ShownFunction {
  readonly id: string;
  /** Whether it has been scrolled to, and got the focus. */
  isReached: boolean;
}

export function createReadsState(
  host: Channel<ReadsHost>,
  opening: ReadsOpening,
  saved: ReadsViewState | undefined,
): ReadsState {
  return {
    ...createPanelState(host, opening),
    block: signal(saved?.block ?? 'latest'),
    compare: signal(saved?.compare ?? ''),
    from: signal(saved?.from ?? ''),
    filter: signal(saved?.filter ?? ''),
    args: signal(saved?.args ?? {}),
    declaration: signal(''),
    declared: signal(saved?.declared ?? []),
    shown: signal(undefined),
  };
}

export function beginReads(state: ReadsState): void {
  for (const text of state.declared.value) void callHost(state, 'declare', text);
  for (const [id, args] of Object.entries(state.args.value)) setArguments(state, id, args);
  void showTarget(state);
}

/** Shows the function that a command asked for, with new values. A panel without values is read in any case. */
export async function showTarget(state: ReadsState): Promise<void> {
  const target = await callHost(state, 'takeTarget');
  if (target) state.shown.value = { id: target.id, isReached: false };
  if (target?.from !== undefined) state.from.value = target.from;
  const call = target && target.args.length > 0 ? { id: target.id, args: target.args } : undefined;
  if (call) setArguments(state, call.id, call.args);
  if (target || state.snapshot.value.block === undefined) readAll(state, call);
}

export function showSnapshot(state: ReadsState, snapshot: ReadsSnapshot): void {
  const before = state.snapshot.value;
  batch(() => {
    state.snapshot.value = snapshot;
    state.hostError.value = undefined;
  });
  const invalid = findInvalidField(snapshot);
  if (invalid !== undefined && invalid !== findInvalidField(before)) focusField(invalid);
}

/** The ID of the first field that is wrong. */
function findInvalidField({ invalid, views }: ReadsSnapshot): string | undefined {
  if (invalid) return invalid.field;
  for (const { id, read } of views)
    if (read?.state === 'failed' && read.input !== undefined) return toInputId(id, read.input);
  return undefined;
}

export function toInputId(view: string, input: number): string {
  return `${view}-${input}`;
}

/** A field shows what is wrong with it while it has the focus. */
function focusField(id: string): void {
  setTimeout(() => document.getElementById(id)?.focus());
}

export function getViewState(state: ReadsState): ReadsViewState {
  return {
    address: state.snapshot.value.address,
    ...getForm(state),
    filter: state.filter.value,
    args: Object.fromEntries(Object.entries(state.args.value).map(([id, typed]) => [id, [...typed]])),
    declared: [...state.declared.value],
  };
}

export function readAll(state: ReadsState, call?: TypedCall): void {
  void callHost(state, 'read', { form: getForm(state), call });
}

function getForm({ block, compare, from }: ReadsState): ReadsForm {
  return { block: block.value, compare: compare.value, from: from.value };
}

/** What is typed for a function, one text for each input. */
export function getArguments({ args }: ReadsState, { id, inputs }: WireView): readonly string[] {
  return inputs.map((_, index) => args.value[id]?.[index] ?? '');
}

export function changeArgument(state: ReadsState, view: WireView, index: number, text: string): void {
  const typed = getArguments(state, view).map((before, place) => (place === index ? text : before));
  setArguments(state, view.id, typed);
}

function setArguments(state: ReadsState, id: string, args: readonly string[]): void {
  state.args.value = { ...state.args.value, [id]: args };
  void callHost(state, 'typed', { id, args: [...args] });
}

export function callView(state: ReadsState, view: WireView): void {
  const call = { id: view.id, args: [...getArguments(state, view)] };
  void callHost(state, 'call', { form: getForm(state), call });
}

export function watchView(state: ReadsState, { id }: WireView): void {
  void callHost(state, 'watch', id);
}

export function declareFunction(state: ReadsState): void {
  const text = state.declaration.value.trim();
  if (text === '') return;
  state.declared.value = [...state.declared.value.filter((one) => one !== text), text].slice(-50);
  void callHost(state, 'declare', text);
}

/** The functions whose name or value contains the filter, and the shown one. */
export function filterViews({ snapshot, filter, shown }: ReadsState): readonly WireView[] {
  const wanted = filter.value.trim().toLowerCase();
  const { views } = snapshot.value;
  if (wanted === '') return views;
  return views.filter(
    ({ id, signature, read }) =>
      id === shown.value?.id ||
      [signature, ...listTexts(read)].some((text) => text.toLowerCase().includes(wanted)),
  );
}

function listTexts(read: WireRead | undefined): readonly string[] {
  if (read === undefined) return [];
  return read.state === 'failed'
    ? [read.message]
    : read.values.flatMap(({ text, exact }: WireValue) => [text, exact]);
}
