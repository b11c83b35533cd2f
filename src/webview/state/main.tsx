import './state.css';
import {
  type StateAction,
  type StateColumnId,
  type StateForm,
  type StateHost,
  type StateSnapshot,
  type StateViewState,
  stateActions,
  stateViewStateSchema,
} from '../../features/state/protocol.ts';
import { fillTemplate } from '../../messaging/panel.ts';
import { Field } from '../kit/field.tsx';
import { Grid } from '../kit/grid/grid.tsx';
import { countRows, toRowPairs } from '../kit/grid/gridState.ts';
import { startPanel } from '../kit/panelPage.tsx';
import { CopyIcon, ErrorBanner, HostErrorBanner, ProgressBar, ToneIcon } from '../kit/panelParts.tsx';
import { callHost } from '../kit/panelState.ts';
import {
  arrange,
  changeFilter,
  changeForm,
  copyCell,
  copyRows,
  createStatePage,
  getViewState,
  load,
  type StatePage,
  showSnapshot,
  sortBy,
} from './stateState.ts';

startPanel<StateHost, StatePage, StateSnapshot, StateAction, StateViewState>({
  savedStateSchema: stateViewStateSchema,
  actions: stateActions,
  createState: createStatePage,
  show: showSnapshot,
  act: load,
  getStateToSave: getViewState,
  Page: StatePageView,
});

function StatePageView({ state: page }: { readonly state: StatePage }) {
  const { strings, snapshot } = page;
  const { heading, address, isLoading, progress, error, doubts, tone, status, counts } = snapshot.value;
  return (
    <main class="page">
      <HostErrorBanner message={page.hostError.value} />
      <header>
        <h1>{heading}</h1>
        <span class="address">
          {address}{' '}
          <button
            type="button"
            class="plain copy"
            title={strings.copy}
            aria-label={strings.copy}
            onClick={() => void callHost(page, 'copyText', address)}
          >
            <CopyIcon />
          </button>
        </span>
      </header>
      <StateFormBar page={page} />
      {error && (
        <ErrorBanner
          error={error}
          tryAgain={{ title: strings.tryAgain, run: () => load(page) }}
          onRemedy={(title) => void callHost(page, 'remedy', title)}
        />
      )}
      {doubts && (
        <div class="banner warning">
          <div class="words">
            <strong>{doubts.title}</strong>
            {doubts.reasons.length > 0 && (
              <ul>
                {doubts.reasons.map((reason) => (
                  <li key={reason}>{reason}</li>
                ))}
              </ul>
            )}
          </div>
        </div>
      )}
      <div class="bar">
        <div class="verdict">
          {!isLoading && <ToneIcon tone={tone} />}
          <div class={`status ${tone}`} role="status">
            {status}
          </div>
          <div class="words">{counts}</div>
        </div>
        <RowButtons page={page} />
      </div>
      <ProgressBar name={strings.loading} isLoading={isLoading} progress={progress} />
      <StateGrid page={page} />
    </main>
  );
}

/** The blocks to load, and the filter of the rows. */
function StateFormBar({ page }: { readonly page: StatePage }) {
  const { strings, snapshot, form } = page;
  const { invalid, isLoading, kind } = snapshot.value;
  const field = (id: keyof StateForm, label: string, hint: string) => (
    <Field
      id={id}
      label={label}
      placeholder={hint}
      value={form.value[id]}
      hint={undefined}
      info={hint}
      problem={invalid?.field === id ? invalid.message : undefined}
      onInput={(text) => changeForm(page, id, text)}
      onLeave={() => undefined}
      onEnter={() => load(page)}
    />
  );
  return (
    <div class="blocks">
      {field('block', strings.block, strings.blockHint)}
      {field('compare', strings.compare, strings.compareHint)}
      {kind === 'allowances' && field('owner', strings.owner, strings.ownerHint)}
      <Field
        id="filter"
        label={strings.filter}
        placeholder={strings.filterHint}
        value={page.filter.value}
        hint={undefined}
        problem={undefined}
        onInput={(text) => changeFilter(page, text)}
        onLeave={() => undefined}
        onEnter={() => undefined}
      />
      <div class="buttons">
        {isLoading ? (
          <button type="button" onClick={() => void callHost(page, 'cancel')}>
            {strings.cancel}
          </button>
        ) : (
          <button type="button" class="primary" onClick={() => load(page)}>
            {strings.load}
          </button>
        )}
      </div>
    </div>
  );
}

function RowButtons({ page }: { readonly page: StatePage }) {
  const { strings, snapshot } = page;
  const { rows, isCompared, arrangement } = snapshot.value;
  return (
    <div class="buttons">
      {isCompared && (
        <label class="toggle">
          <input
            type="checkbox"
            checked={arrangement.onlyChanges}
            onChange={({ currentTarget }) => arrange(page, { onlyChanges: currentTarget.checked })}
          />
          {strings.onlyChanges}
        </label>
      )}
      {rows > 0 && (
        <>
          <button type="button" onClick={() => void callHost(page, 'copyAll')}>
            {strings.copyAll}
          </button>
          <button type="button" onClick={() => void callHost(page, 'export')}>
            {strings.export}
          </button>
        </>
      )}
    </div>
  );
}

function StateGrid({ page }: { readonly page: StatePage }) {
  const { strings, snapshot, grid } = page;
  const { columns, rows, resultId, order, tone, arrangement } = snapshot.value;
  if (columns.length === 0) return null;
  if (rows === 0) {
    const isFiltered = arrangement.filter.trim() !== '' || arrangement.onlyChanges;
    return <p class="none">{isFiltered ? strings.noMatch : ''}</p>;
  }
  const ranges = grid.selection.value?.ranges;
  const selected = ranges && countRows(ranges) > 1 ? toRowPairs(ranges) : undefined;
  return (
    <Grid
      grid={grid}
      name={strings.rows}
      columnHint={`${strings.sortHint} ${strings.resizeHint}`}
      sort={{
        key: arrangement.sort?.column,
        descending: arrangement.sort?.descending ?? false,
        onSort: (column) => sortBy(page, column as StateColumnId),
      }}
      text={({ cells }, column) => cells[column] ?? ''}
      hint={({ hints }, column) => hints[column]}
      bar={({ bar }, column) => (column === 'share' ? bar : undefined)}
      isMuted={({ change }) => change === 'removed'}
      isOpenEnded={tone === 'uncertain'}
      context={{ webviewSection: 'state', resultId, order, selected }}
      rowContext={(row) => ({ row: row?.row })}
      cellContext={({ exact, addresses }, column) => ({
        copyText: exact[column],
        account: addresses[column],
        holdsAddress: addresses[column] !== undefined,
      })}
      onCopy={(row, column) => copyCell(page, row, column)}
      onCopyRows={(selection) => copyRows(page, selection)}
      selectedText={(count) =>
        fillTemplate(strings.rowsSelected, count.toLocaleString(document.documentElement.lang))
      }
    />
  );
}
