import { useLayoutEffect, useRef } from 'preact/hooks';
import type { GroupColumnId, GroupField } from '../../features/logs/protocol/groups.ts';
import { fillTemplate } from '../../messaging/panel.ts';
import { Grid } from '../kit/grid/grid.tsx';
import { countRows, toRowPairs } from '../kit/grid/gridState.ts';
import { callHost } from '../kit/panelState.ts';
import {
  chooseGroups,
  copyGroupCell,
  copyGroups,
  getGroupSort,
  openGroup,
  sortGroups,
} from './groupsActions.ts';
import type { LogsState } from './logsState.ts';

/** What the rows are grouped by; or the group whose rows are shown, and the way back. */
export function GroupBar({ state }: { readonly state: LogsState }) {
  const { strings, wantsFocus } = state;
  const bar = useRef<HTMLElement>(null);
  const { groups } = state.snapshot.value;
  useLayoutEffect(() => {
    if (wantsFocus.current !== 'groups' || !bar.current) return;
    wantsFocus.current = undefined;
    bar.current.querySelector('select')?.focus();
  });
  if (!groups) return null;
  const { choice, fields, sums, verdict, rowsText, error, opened } = groups;
  const [first = '', second = ''] = choice.by;
  const none = (label: string): GroupField => ({ value: '', label });
  const without = (other: string) => fields.filter(({ value }) => value !== other);
  const showRows = (
    <button type="button" onClick={() => void callHost(state, 'stopGroups')}>
      {strings.showRows}
    </button>
  );
  if (opened !== undefined) {
    return (
      <section class="group-bar" aria-label={strings.groups}>
        <strong class="opened">{opened}</strong>
        <button type="button" onClick={() => void callHost(state, 'closeGroup')}>
          {strings.backToGroups}
        </button>
        {showRows}
      </section>
    );
  }
  return (
    <section ref={bar} class="group-bar" aria-label={strings.groups}>
      <Choice
        id="group-first"
        label={strings.groupField}
        value={first}
        fields={[...without(second), none(strings.allLogs)]}
        onChange={(field) => chooseGroups(state, { ...choice, by: [field, second] })}
      />
      {first !== '' && (
        <Choice
          id="group-second"
          label={strings.secondGroupField}
          value={second}
          fields={[none(strings.noField), ...without(first)]}
          onChange={(field) => chooseGroups(state, { ...choice, by: [first, field] })}
        />
      )}
      {(sums.length > 0 || choice.sum !== undefined) && (
        <Choice
          id="group-sum"
          label={strings.sumField}
          value={choice.sum ?? ''}
          fields={[none(strings.noField), ...sums]}
          onChange={(sum) => chooseGroups(state, { by: choice.by, sum })}
        />
      )}
      {showRows}
      <span class="words" aria-live={state.snapshot.value.loading ? 'off' : 'polite'}>
        {[verdict, rowsText].filter((text) => text !== '').join(' · ')}
      </span>
      {error !== undefined && (
        <div class="banner error" role="alert">
          {error}
        </div>
      )}
    </section>
  );
}

interface ChoiceProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly fields: readonly GroupField[];
  readonly onChange: (value: string) => void;
}

function Choice({ id, label, value, fields, onChange }: ChoiceProps) {
  return (
    <span class="choice-of">
      <label for={id}>{label}</label>{' '}
      <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {fields.map((field) => (
          <option key={field.value} value={field.value} selected={field.value === value}>
            {field.label}
          </option>
        ))}
      </select>
    </span>
  );
}

/** The groups of the rows. */
export function GroupsGrid({ state }: { readonly state: LogsState }) {
  const { strings, groups: grid } = state;
  const { resultId, groups } = state.snapshot.value;
  if (!groups || groups.error !== undefined) return null;
  const { order } = groups;
  const sort = getGroupSort(groups);
  const ranges = grid.selection.value?.ranges;
  const selected = ranges && countRows(ranges) > 1 ? toRowPairs(ranges) : undefined;
  return (
    <Grid
      grid={grid}
      name={strings.groups}
      columnHint={`${strings.sortHint} ${strings.openGroupHint} ${strings.resizeHint}`}
      sort={{
        key: sort.column,
        descending: sort.descending,
        onSort: (column) => sortGroups(state, column as GroupColumnId),
      }}
      text={({ cells }, column) => cells[column] ?? ''}
      hint={({ hints }, column) => hints[column]}
      bar={({ bar }, column) => (column === 'share' ? bar : undefined)}
      isOpenEnded={false}
      context={{ webviewSection: 'group', resultId, order, selected }}
      rowContext={(row) => ({ group: row?.group })}
      opensByClick
      onCopy={(row, column) => copyGroupCell(state, row, column)}
      onOpen={(row) => openGroup(state, row)}
      onCopyRows={(rows) => copyGroups(state, rows)}
      selectedText={(count) =>
        fillTemplate(strings.rowsSelected, count.toLocaleString(document.documentElement.lang))
      }
    />
  );
}
