import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { MAX_FILTER_CHARS } from '../../features/logs/protocol/grid.ts';
import type { ResultDetails, ResultStatus } from '../../features/logs/protocol/snapshot.ts';
import type { LogsStrings } from '../../features/logs/protocol/strings.ts';
import { fillTemplate } from '../../messaging/panel.ts';
import { MenuButton, type MenuItem } from '../kit/menuButton.tsx';
import { ButtonRow, ToneIcon } from '../kit/panelParts.tsx';
import { callHost } from '../kit/panelState.ts';
import { arrangeGroups, startGroups } from './groupsActions.ts';
import { arrangeRows, callWhenIdle, toggleRaw } from './logsActions.ts';
import type { ChartPanel, LogsState } from './logsState.ts';

/** The status of the result, the filter of its rows, and buttons to load more. */
export function StatusBar({
  state,
  children,
}: {
  readonly state: LogsState;
  /** Additional buttons. */
  readonly children?: ComponentChildren;
}) {
  const { strings } = state;
  const { value: snapshot } = state.snapshot;
  const infoProps = { isOpen: state.reasonsOpen, result: snapshot, strings };
  const { status, rest, tone, progress, more, canExport, canSkipWait, loading, error, rowsText } = snapshot;
  const { follow } = snapshot;
  // The block numbers of a live result change often: do not announce each change.
  const isSteady = follow.state === 'on' && tone === 'complete';
  return (
    <div class="bar">
      <div class="result">
        <ToneIcon tone={tone} />
        <div class={`status ${tone}`} role="status" aria-live={isSteady ? 'off' : undefined}>
          {status}
          {rest && <span class="rest"> {rest}</span>}
        </div>
        {progress && <div class="words">{progress.label}</div>}
        <span class="aside">
          <Age status={snapshot} strings={strings} />
          <ResultInfoButton {...infoProps} />
        </span>
        <span class="words" aria-live={loading ? 'off' : 'polite'}>
          {rowsText}
        </span>
      </div>
      <div class="tools">
        <FilterBar state={state} />
        <ButtonRow>
          {more && !error && (
            <>
              <button
                type="button"
                aria-disabled={loading !== undefined}
                onClick={() => callWhenIdle(state, 'nextPage')}
              >
                {strings.nextPage}
              </button>
              <button
                type="button"
                aria-disabled={loading !== undefined}
                onClick={() => callWhenIdle(state, 'loadAll')}
              >
                {strings.loadAll}
              </button>
            </>
          )}
          {canSkipWait && (
            <button type="button" onClick={() => void callHost(state, 'skipWait')}>
              {strings.askNow}
            </button>
          )}
          {loading && (
            <button type="button" onClick={() => void callHost(state, 'cancel')}>
              {strings.cancel}
            </button>
          )}
          {follow.canFollow && (
            <>
              <button
                type="button"
                class="toggle"
                aria-pressed={follow.state !== 'off'}
                title={strings.followHint}
                onClick={() => void callHost(state, 'follow')}
              >
                <span class="dot" aria-hidden="true" />
                <span class="label">{strings.follow}</span>
              </button>
              {follow.state !== 'off' && (
                <button
                  type="button"
                  class="toggle"
                  aria-label={strings.notify}
                  aria-pressed={follow.notify !== 'off'}
                  title={strings.notifyHint}
                  onClick={() => void callHost(state, 'notify')}
                >
                  <BellIcon />
                </button>
              )}
            </>
          )}
          {canExport && (
            <button
              type="button"
              aria-disabled={loading !== undefined}
              onClick={() => callWhenIdle(state, 'exportLogs')}
            >
              {strings.exportLogs}
            </button>
          )}
          {children}
        </ButtonRow>
        <MenuButton name={strings.moreActions} items={listMoreActions(state)} />
      </div>
      <VerdictReasons {...infoProps} />
      <ResultInfo {...infoProps} />
    </div>
  );
}

/** The actions that are needed less often. */
function listMoreActions(state: LogsState): readonly MenuItem[] {
  const { strings, arrangement } = state;
  const { executed, canExport, loading, loaded } = state.snapshot.value;
  const items: readonly (MenuItem | false)[] = [
    executed !== undefined && {
      label: strings.copyQueryAs,
      run: () => void callHost(state, 'copyQueryAs'),
    },
    canExport && {
      label: strings.secondOpinion,
      isDisabled: loading !== undefined,
      run: () => callWhenIdle(state, 'secondOpinion'),
    },
    loaded > 0 && {
      label: strings.rawParts,
      isChecked: arrangement.value.raw === true,
      run: () => toggleRaw(state),
    },
  ];
  return items.filter((item) => item !== false);
}

/** Groups the rows; absent while they are grouped, or if there are none. */
function GroupButton({ state }: { readonly state: LogsState }) {
  const { strings } = state;
  const { loaded, groups } = state.snapshot.value;
  if (loaded === 0 || groups) return null;
  return (
    <button
      type="button"
      class="group-button"
      aria-label={strings.groupBy}
      title={strings.groupByHint}
      onClick={() => startGroups(state)}
    >
      <span class="label">{strings.groupBy}</span>
      <span class="sign" aria-hidden="true">
        Σ
      </span>
    </button>
  );
}

/** Filters the rows or the groups by the typed text; absent if there are none. */
function FilterBar({ state }: { readonly state: LogsState }) {
  const { strings, arrangement } = state;
  const { loaded, chart, groups } = state.snapshot.value;
  if (groups && groups.opened === undefined) {
    return (
      <div class="filter">
        <FilterField
          key="groups"
          name={strings.filterGroups}
          hint={strings.filterGroupsHint}
          applied={groups.arrangement.filter}
          onApply={(filter) => arrangeGroups(state, { ...groups.arrangement, filter })}
        />
      </div>
    );
  }
  if (loaded === 0 && arrangement.value.filter === '') return null;
  return (
    <div class="filter">
      <FilterField
        key="rows"
        name={strings.filter}
        hint={`${strings.filterHint}\n${strings.filterForms}`}
        applied={arrangement.value.filter}
        onApply={(filter) => arrangeRows(state, { ...arrangement.value, filter })}
      />
      <ChartButton chart={state.chart} strings={strings} offer={chart} />
      <GroupButton state={state} />
    </div>
  );
}

interface FilterFieldProps {
  readonly name: string;
  readonly hint: string;
  readonly applied: string;
  readonly onApply: (filter: string) => void;
}

function FilterField({ name, hint, applied, onApply }: FilterFieldProps) {
  const [typing, setTyping] = useState({ text: applied, appliedTo: applied });
  // The typed text is shown until another filter is applied.
  const typed = typing.appliedTo === applied ? typing.text : applied;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(applied);
  latest.current = applied;
  const apply = (filter: string): void => {
    clearTimeout(timer.current);
    onApply(filter);
  };
  return (
    <input
      type="search"
      aria-label={name}
      placeholder={name}
      title={hint}
      maxLength={MAX_FILTER_CHARS}
      spellcheck={false}
      autocomplete="off"
      value={typed}
      onInput={({ currentTarget: { value } }) => {
        setTyping({ text: value, appliedTo: applied });
        clearTimeout(timer.current);
        // A filter that is applied meanwhile, such as by Clear Filter, is the later wish.
        timer.current = setTimeout(() => latest.current === applied && apply(value), FILTER_DELAY_MS);
      }}
      onKeyDown={({ key }) => {
        if (key === 'Enter') apply(typed);
      }}
    />
  );
}

/** The filter is applied this long after the last key. */
const FILTER_DELAY_MS = 150;

/** Shows or hides the chart of this panel. */
function ChartButton({ chart, strings, offer }: Pick<ChartPanel, 'chart' | 'strings' | 'offer'>) {
  if (!offer) return null;
  return (
    <button
      type="button"
      class="toggle chart-button"
      aria-pressed={chart.isShown.value}
      aria-label={strings.chart}
      title={strings.chartHint}
      onClick={() => {
        chart.isWanted.value = !chart.isShown.value;
      }}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d="M2 14V8h3v6ZM6.5 14V3h3v11ZM11 14V6h3v8Z" fill="currentColor" />
      </svg>
    </button>
  );
}

/** Shows or hides the facts of the result; absent if there are none. */
function ResultInfoButton({ isOpen, result, strings }: ResultInfoProps) {
  if (result.facts.length === 0) return null;
  return (
    <button
      type="button"
      class="icon"
      id={`${RESULT_INFO_ID}-button`}
      aria-label={strings.about}
      title={strings.about}
      aria-expanded={isOpen.value}
      aria-controls={isOpen.value ? RESULT_INFO_ID : undefined}
      onClick={() => {
        isOpen.value = !isOpen.value;
      }}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path
          d="M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M8 7v4.5M8 4.2v1.4"
          fill="none"
          stroke="currentColor"
          stroke-width="1.2"
        />
      </svg>
    </button>
  );
}

/** The facts of the result, while they are shown. */
function ResultInfo({ isOpen, result, strings }: ResultInfoProps) {
  const { facts, notes } = result;
  if (!isOpen.value || facts.length === 0) return null;
  return (
    <section
      class="about"
      id={RESULT_INFO_ID}
      aria-label={strings.about}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        isOpen.value = false;
        document.getElementById(`${RESULT_INFO_ID}-button`)?.focus();
      }}
    >
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <dl>
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const RESULT_INFO_ID = 'about-result';

/** Why the result may not be complete: always visible. */
function VerdictReasons({ result: { reasons }, strings }: Omit<ResultInfoProps, 'isOpen'>) {
  if (reasons.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <ul class="doubts" tabIndex={0} aria-label={strings.doubts}>
      {reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  );
}

interface ResultInfoProps {
  readonly isOpen: Signal<boolean>;
  readonly result: ResultDetails;
  readonly strings: LogsStrings;
}

/** The age of the last page. It updates automatically, without an announcement. */
function Age({
  status,
  strings,
}: {
  readonly status: Pick<ResultStatus, 'age' | 'rest'>;
  readonly strings: LogsStrings;
}) {
  // Uses the page's own clock: the extension may run on another machine.
  const since = useMemo(
    () => (status.age === undefined ? undefined : performance.now() - status.age),
    [status],
  );
  const [, tick] = useState(0);
  const age = since === undefined ? undefined : performance.now() - since;
  const intervalMs = age === undefined || age < MINUTE_MS ? SECOND_MS : MINUTE_MS / 2;
  useEffect(() => {
    if (since === undefined) return undefined;
    const timer = setInterval(() => tick((count) => count + 1), intervalMs);
    return () => clearInterval(timer);
  }, [since, intervalMs]);
  if (age === undefined) return null;
  return (
    <span class="age" aria-live="off">
      {status.rest && ', '}
      {formatAge(age, strings)}
    </span>
  );
}

function formatAge(age: number, strings: LogsStrings): string {
  if (age < SECOND_MS) return strings.justNow;
  if (age < MINUTE_MS) return fillTemplate(strings.secondsAgo, Math.floor(age / SECOND_MS));
  if (age < HOUR_MS) return fillTemplate(strings.minutesAgo, Math.floor(age / MINUTE_MS));
  return fillTemplate(strings.hoursAgo, Math.floor(age / HOUR_MS));
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

function BellIcon() {
  return (
    <svg class="bell" viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <path
        d="M8 2a4 4 0 0 0-4 4v3L2.8 11.5h10.4L12 9V6a4 4 0 0 0-4-4M6.5 13.5a1.5 1.5 0 0 0 3 0"
        fill="none"
        stroke="currentColor"
        stroke-width="1.2"
        stroke-linejoin="round"
      />
    </svg>
  );
}
