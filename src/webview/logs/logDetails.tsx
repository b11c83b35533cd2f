import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ExplorerPlace } from '../../features/logs/protocol/protocol.ts';
import type { WireLog, WireMeaning, WireValue } from '../../features/logs/protocol/snapshot.ts';
import type { LogsStrings } from '../../features/logs/protocol/strings.ts';
import { fillTemplate } from '../../messaging/panel.ts';
import { CopyIcon } from '../kit/panelParts.tsx';
import { callHost } from '../kit/panelState.ts';
import { closeDetails, copyLogAs, openDeclaration, openInExplorer, showTransaction } from './logsActions.ts';
import type { LogsState } from './logsState.ts';

interface DetailField {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly note?: string | undefined;
  readonly page?: ExplorerPlace['page'];
}

/** All of one log, beside the grid or, where there is no room, below it. */
export function LogDetails({ state }: { readonly state: LogsState }) {
  const box = useRef<HTMLElement>(null);
  const details = state.details.value;
  const isShown = details?.log !== undefined;
  useLayoutEffect(() => {
    if (isShown) box.current?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);
  useLayoutEffect(() => {
    if (!box.current || state.wantsFocus.current !== 'details') return;
    state.wantsFocus.current = undefined;
    box.current.focus();
  });
  if (!details?.log) return null;
  const { strings, rawOpen } = state;
  const { log } = details;
  // Where nothing else is told of the log, or the user asks for it everywhere, it is in sight at once.
  const isRawFirst = log.meaning.reason !== undefined || state.arrangement.value.raw === true;
  return (
    <section
      ref={box}
      tabIndex={-1}
      class="details"
      aria-label={fillTemplate(strings.details, log.index, log.block)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') closeDetails(state);
      }}
    >
      <div class="details-bar">
        <h2>{fillTemplate(strings.details, log.index, log.block)}</h2>
        <button type="button" class="plain" onClick={() => copyLogAs(state, log.log)}>
          {strings.copyLogAs}
        </button>
        <button type="button" class="plain" onClick={() => closeDetails(state)}>
          {strings.close}
        </button>
      </div>
      <Meaning
        strings={strings}
        meaning={log.meaning}
        onCopy={(text) => void callHost(state, 'copyText', text)}
        onOpenDeclaration={() => openDeclaration(state, log.log)}
      />
      <DetailFields state={state} log={log} fields={getPlaceFields(log, strings)} />
      {isRawFirst ? (
        <DetailFields state={state} log={log} fields={getRawFields(log, strings)} />
      ) : (
        <>
          <button
            type="button"
            class="plain"
            aria-expanded={rawOpen.value}
            aria-controls={rawOpen.value ? 'raw' : undefined}
            onClick={() => {
              rawOpen.value = !rawOpen.value;
            }}
          >
            <span aria-hidden="true">{rawOpen.value ? '▾' : '▸'}</span> {strings.rawParts}
          </button>
          {rawOpen.value && (
            <div id="raw">
              <DetailFields state={state} log={log} fields={getRawFields(log, strings)} />
            </div>
          )}
        </>
      )}
    </section>
  );
}

interface FieldsProps {
  readonly state: LogsState;
  readonly log: WireLog;
  readonly fields: readonly DetailField[];
}

function DetailFields({ state, log, fields }: FieldsProps) {
  const { strings } = state;
  const { canOpenExplorer } = state.snapshot.value;
  return (
    <dl>
      {fields.map(({ id, name, value, note, page }) => (
        <div key={id} class="detail">
          <dt id={`detail-${id}`}>{name}</dt>
          <dd>
            <span class="value">{value}</span>
            <CopyButton
              title={strings.copy}
              name={name}
              onCopy={() => void callHost(state, 'copyText', value)}
            />
            {note && <span class="note">{note}</span>}
            {page === 'transaction' && (
              <button
                type="button"
                class="plain"
                aria-describedby={`detail-${id}`}
                onClick={() => showTransaction(state, log.log)}
              >
                {strings.showTransaction}
              </button>
            )}
            {page && canOpenExplorer && (
              <button
                type="button"
                class="plain"
                aria-describedby={`detail-${id}`}
                onClick={() => openInExplorer(state, log.log, page)}
              >
                {strings.openInExplorer}
              </button>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function getPlaceFields(log: WireLog, strings: LogsStrings): readonly DetailField[] {
  return [
    { id: 'block', name: strings.block, value: log.block, page: 'block' },
    ...(log.time ? [{ id: 'time', name: strings.time, value: log.time.iso, note: log.time.note }] : []),
    { id: 'block-hash', name: strings.blockHash, value: log.blockHash },
    { id: 'transaction', name: strings.transaction, value: log.transaction, page: 'transaction' },
    { id: 'transaction-index', name: strings.transactionIndex, value: log.transactionIndex.toString() },
    { id: 'log-index', name: strings.logIndex, value: log.index.toString() },
    { id: 'address', name: strings.address, value: log.address, note: log.name, page: 'address' },
  ];
}

function getRawFields(log: WireLog, strings: LogsStrings): readonly DetailField[] {
  return [
    ...log.topics.map((topic, index) => ({
      id: `topic-${index}`,
      name: fillTemplate(strings.topic, index),
      value: topic,
    })),
    { id: 'data', name: strings.data, value: log.data, note: fillTemplate(strings.bytes, log.dataBytes) },
  ];
}

interface ValueContext {
  readonly strings: LogsStrings;
  readonly onCopy: (text: string) => void;
}

interface MeaningProps extends ValueContext {
  readonly meaning: WireMeaning;
  readonly onOpenDeclaration: () => void;
}

/** What a log says: its event, the arguments, and by what that is known. */
function Meaning({ meaning, onOpenDeclaration, ...telling }: MeaningProps) {
  const { strings } = telling;
  if (meaning.reason !== undefined) {
    return (
      <div class="meaning">
        <p class="note">
          {strings.notDecoded} {meaning.reason}
        </p>
        <Candidates title={strings.mayBe} events={meaning.may} />
      </div>
    );
  }
  return (
    <div class="meaning">
      <p>
        <strong>{meaning.event}</strong>
        <span class="signature note">{meaning.signature.slice(meaning.event.length)}</span>
        {meaning.declaration && (
          <button
            type="button"
            class="plain"
            title={strings.goToEvent}
            aria-label={`${strings.goToEvent} ${meaning.declaration}`}
            onClick={onOpenDeclaration}
          >
            {meaning.declaration}
          </button>
        )}
      </p>
      <Values {...telling} values={meaning.values} path="argument" />
      <p class="note">{meaning.knownFrom}</p>
      {meaning.version !== undefined && <p class="note">{meaning.version}</p>}
      <Candidates title={strings.otherCandidates} events={meaning.others} />
    </div>
  );
}

function Candidates({ title, events }: { readonly title: string; readonly events: readonly string[] }) {
  if (events.length === 0) return null;
  return (
    <>
      <p class="note">{title}</p>
      <ul class="others note">
        {events.map((event) => (
          <li key={event}>{event}</li>
        ))}
      </ul>
    </>
  );
}

interface ValuesProps extends ValueContext {
  readonly values: readonly WireValue[];
  /** Where they are, for the ids of their names. */
  readonly path: string;
}

function Values({ values, path, ...telling }: ValuesProps) {
  return (
    <ul class="values">
      {values.map((value, index) => (
        <Value key={`${path}-${index}`} {...telling} value={value} path={`${path}-${index}`} />
      ))}
    </ul>
  );
}

/** A value with its name and type; an array or a tuple can be opened. */
function Value({
  value,
  path,
  ...telling
}: ValueContext & {
  readonly value: WireValue;
  readonly path: string;
}) {
  const { name, type, text, note, parts } = value;
  const { strings, onCopy } = telling;
  const label = (
    <span class="name" id={path} title={`${name} ${type}`}>
      {name || strings.noName} <span class="type">{type}</span>
    </span>
  );
  const what = <span class="value">{text}</span>;
  const rest = (
    <>
      <CopyButton title={strings.copy} name={name || type} onCopy={() => onCopy(value.copy)} />
      {note !== undefined && <span class="note">{note}</span>}
    </>
  );
  if (!parts || parts.length === 0) {
    return (
      <li class="argument">
        {label}{' '}
        <div>
          {what} {rest}
        </div>
      </li>
    );
  }
  return (
    <li class="argument nested">
      <details>
        <summary>
          {label} {what}
        </summary>
        {rest}
        <Values {...telling} values={parts} path={path} />
      </details>
    </li>
  );
}

interface CopyButtonProps {
  /** What it does, and to what. */
  readonly title: string;
  readonly name: string;
  readonly onCopy: () => void;
}

/** Copies what stands beside it. */
function CopyButton({ title, name, onCopy }: CopyButtonProps) {
  return (
    <button type="button" class="icon copy" aria-label={`${title} ${name}`} title={title} onClick={onCopy}>
      <CopyIcon />
    </button>
  );
}
