import './reads.css';
import {
  type ReadsAction,
  type ReadsForm,
  type ReadsHost,
  type ReadsSnapshot,
  type ReadsViewState,
  readsActions,
  readsViewStateSchema,
} from '../../features/reads/protocol.ts';
import { Combobox } from '../kit/combobox.tsx';
import { Field } from '../kit/field.tsx';
import { startPanel } from '../kit/panelPage.tsx';
import { CopyIcon, ErrorBanner, HostErrorBanner, ProgressBar } from '../kit/panelParts.tsx';
import { callHost } from '../kit/panelState.ts';
import {
  beginReads,
  createReadsState,
  declareFunction,
  filterViews,
  getViewState,
  type ReadsState,
  readAll,
  showSnapshot,
  showTarget,
} from './readsState.ts';
import { FunctionSection, StateTable, suggestAddresses } from './views.tsx';

startPanel<ReadsHost, ReadsState, ReadsSnapshot, ReadsAction, ReadsViewState>({
  savedStateSchema: readsViewStateSchema,
  actions: readsActions,
  createState: createReadsState,
  show: showSnapshot,
  act: showTarget,
  getStateToSave: getViewState,
  enter: beginReads,
  Page: ReadsPage,
});

function ReadsPage({ state }: { readonly state: ReadsState }) {
  const { strings, snapshot } = state;
  const { heading, address, notes, status, isLoading, error } = snapshot.value;
  const views = filterViews(state);
  return (
    <main class="page">
      <HostErrorBanner message={state.hostError.value} />
      <header>
        <h1>{heading}</h1>
        <span class="value">
          <span class="address">{address}</span>
          <button
            type="button"
            class="plain copy"
            title={strings.copy}
            aria-label={strings.copy}
            onClick={() => void callHost(state, 'copyText', address)}
          >
            <CopyIcon />
          </button>
        </span>
      </header>
      <BlockBar state={state} />
      <ProgressBar name={strings.loading} isLoading={isLoading} progress={undefined} />
      {error && (
        <ErrorBanner
          error={error}
          tryAgain={{ title: strings.tryAgain, run: () => readAll(state) }}
          onRemedy={(title) => void callHost(state, 'remedy', title)}
        />
      )}
      <div class="body">
        <p class="status" role="status">
          {status}
        </p>
        {notes.map((note) => (
          <p key={note} class="note">
            {note}
          </p>
        ))}
        {views.length === 0 && snapshot.value.views.length > 0 && <p class="note">{strings.noMatch}</p>}
        <StateTable state={state} views={views.filter(({ inputs }) => inputs.length === 0)} />
        <FunctionSection state={state} views={views.filter(({ inputs }) => inputs.length > 0)} />
        <DeclareBar state={state} />
      </div>
    </main>
  );
}

/** The blocks to read, the sender of the calls, and the filter. */
function BlockBar({ state }: { readonly state: ReadsState }) {
  const { strings, snapshot } = state;
  const { invalid, isLoading } = snapshot.value;
  const field = (id: keyof ReadsForm, label: string, hint: string) => ({
    ...{ id, label, placeholder: hint, info: hint, hint: undefined },
    value: state[id].value,
    problem: invalid?.field === id ? invalid.message : undefined,
    onInput: (text: string) => {
      state[id].value = text;
    },
    onLeave: () => undefined,
    onEnter: () => readAll(state),
  });
  return (
    <div class="blocks">
      <Field {...field('block', strings.block, strings.blockHint)} />
      <Field {...field('compare', strings.compare, strings.compareHint)} />
      <Combobox
        {...field('from', strings.from, strings.fromHint)}
        suggest={(typed, options) => suggestAddresses(state, typed, options)}
        complete={(_, value) => value}
        listStrings={strings}
        version={snapshot.value.namesVersion}
      />
      <Field
        id="filter"
        label={strings.filter}
        placeholder={strings.filterHint}
        value={state.filter.value}
        hint={undefined}
        problem={undefined}
        onInput={(text) => {
          state.filter.value = text;
          state.shown.value = undefined;
        }}
        onLeave={() => undefined}
        onEnter={() => undefined}
      />
      <div class="buttons">
        {isLoading ? (
          <button type="button" onClick={() => void callHost(state, 'cancel')}>
            {strings.cancel}
          </button>
        ) : (
          <button type="button" class="primary" onClick={() => readAll(state)}>
            {strings.read}
          </button>
        )}
      </div>
    </div>
  );
}

/** A function that the ABI does not have. */
function DeclareBar({ state }: { readonly state: ReadsState }) {
  const { strings, snapshot } = state;
  const { invalid } = snapshot.value;
  return (
    <div class="declare">
      <Field
        id="function"
        label={strings.declare}
        placeholder={strings.declareHint}
        value={state.declaration.value}
        hint={undefined}
        problem={invalid?.field === 'function' ? invalid.message : undefined}
        onInput={(text) => {
          state.declaration.value = text;
        }}
        onLeave={() => undefined}
        onEnter={() => declareFunction(state)}
      />
      <div class="buttons">
        <button type="button" onClick={() => declareFunction(state)}>
          {strings.add}
        </button>
      </div>
    </div>
  );
}
