import { Fragment } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ExplorerPlace } from '../../features/logs/protocol/protocol.ts';
import type { WireLog, WireMeaning, WireValue } from '../../features/logs/protocol/snapshot.ts';
import type { LogsStrings } from '../../features/logs/protocol/strings.ts';
import { fillTemplate } from '../../messaging/panel.ts';
import { CopyIcon } from '../kit/panelParts.tsx';
import { callHost } from '../kit/panelState.ts';
import { closeDetails, copyLogAs, openDeclaration, openInExplorer, showTransaction } from './logsActions.ts';
import type { LogsState } from './logsState.ts';

/** All fields of one log, beside the grid or, in a narrow view, below it. */
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
  // Raw fields are shown at once if the log is not decoded, or if the user wants them for all logs.
  const isRawFirst = log.meaning.reason !== undefined || state.arrangement.value.raw === true;
  return (
    <section
      ref={box}
      tabIndex={-1}
      class="details names"
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
            <div id="raw" class="names">
              <DetailFields state={state} log={log} fields={getRawFields(log, strings)} />
            </div>
          )}
        </>
      )}
    </section>
  );
}

function DetailFields({ state, log, fields }: FieldsProps) {
  const { strings } = state;
  const { canOpenExplorer } = state.snapshot.value;
  return (
    <dl class="names">
      {fields.map(({ id, name, value, note, page }) => (
        <div key={id} class="detail">
          <dt id={`detail-${id}`}>{name}</dt>
          <dd>
            <span class="value">
              <Breakable text={value} />
            </span>
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

interface FieldsProps {
  readonly state: LogsState;
  readonly log: WireLog;
  readonly fields: readonly DetailField[];
}

interface DetailField {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly note?: string | undefined;
  readonly page?: ExplorerPlace['page'];
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
    {
      id: 'data',
      name: strings.data,
      value: log.data,
      note: log.dataBytes === 1 ? strings.oneByte : fillTemplate(strings.bytes, log.dataBytes),
    },
  ];
}

interface ValueContext {
  readonly strings: LogsStrings;
  readonly onCopy: (text: string) => void;
}

/** The decoded log: its event, the arguments, and where the ABI is from. */
function Meaning({ meaning, onOpenDeclaration, ...context }: MeaningProps) {
  const { strings } = context;
  if (meaning.reason !== undefined) {
    return (
      <div class="meaning names">
        <p class="note">
          {strings.notDecoded} {meaning.reason}
        </p>
        <Candidates title={strings.mayBe} events={meaning.may} />
      </div>
    );
  }
  return (
    <div class="meaning names">
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
      <Values {...context} values={meaning.values} path="argument" />
      <p class="note">{meaning.knownFrom}</p>
      {meaning.version !== undefined && <p class="note">{meaning.version}</p>}
      <Candidates title={strings.otherCandidates} events={meaning.others} />
    </div>
  );
}

interface MeaningProps extends ValueContext {
  readonly meaning: WireMeaning;
  readonly onOpenDeclaration: () => void;
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

function Values({ values, path, ...context }: ValuesProps) {
  return (
    <ul class="values">
      {values.map((value, index) => (
        <Value key={`${path}-${index}`} {...context} value={value} path={`${path}-${index}`} />
      ))}
    </ul>
  );
}

interface ValuesProps extends ValueContext {
  readonly values: readonly WireValue[];
  /** Path of the values, for the IDs of their names. */
  readonly path: string;
}

/** A value with its name and type. An array or tuple can be expanded. */
function Value({
  value,
  path,
  ...context
}: ValueContext & {
  readonly value: WireValue;
  readonly path: string;
}) {
  const { name, type, text, note, parts } = value;
  const { strings, onCopy } = context;
  const label = (
    <span class="name" id={path} title={`${name} ${type}`}>
      {name || strings.noName} <span class="type">{type}</span>
    </span>
  );
  const valueText = (
    <span class="value">
      <Breakable text={text} />
    </span>
  );
  const actions = (
    <>
      <CopyButton title={strings.copy} name={name || type} onCopy={() => onCopy(value.copy)} />
      {note !== undefined && (
        <span class="note">
          <Breakable text={note} />
        </span>
      )}
    </>
  );
  if (!parts || parts.length === 0) {
    return (
      <li class="argument">
        {label}{' '}
        <div>
          {valueText} {actions}
        </div>
      </li>
    );
  }
  return (
    <li class="argument nested">
      <details>
        <summary>
          {label} {valueText}
        </summary>
        {actions}
        <Values {...context} values={parts} path={path} />
      </details>
    </li>
  );
}

/** Text that breaks after a comma, as in a long number, before it breaks anywhere else. */
function Breakable({ text }: { readonly text: string }) {
  return text.split(/(?<=,)/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

function CopyButton({ title, name, onCopy }: CopyButtonProps) {
  return (
    <button type="button" class="icon copy" aria-label={`${title} ${name}`} title={title} onClick={onCopy}>
      <CopyIcon />
    </button>
  );
}

interface CopyButtonProps {
  /** Tooltip; with `name` also the accessible name. */
  readonly title: string;
  readonly name: string;
  readonly onCopy: () => void;
}
