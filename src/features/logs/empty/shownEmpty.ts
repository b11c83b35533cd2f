import { type Clock, createTimeSlices, type LogFilter, type QueryForm } from '../../../core/index.ts';
import type { KnownEvent } from '../../../host/contracts/knownEvents.ts';
import type { Language } from '../../../host/words/localizer.ts';
import type { KnownAddresses } from '../form/readForm.ts';
import type { EmptyRows } from '../protocol/emptyRows.ts';
import type { ArrangedRows } from '../results/arrangedRows.ts';
import type { LogResults } from '../results/logResults.ts';
import { emptyRows, type FoundEvents } from './emptyReasons.ts';
import { contractWithout, nearestEvents } from './nearestEvents.ts';

/** What an answer was asked with. */
interface Asked {
  readonly form: QueryForm;
  readonly filter: LogFilter;
}

/** What is found out once there are no rows. */
type Found = FoundEvents & Partial<Pick<KnownAddresses, 'elsewhere'>>;

interface ShownEmptyDeps {
  readonly results: Pick<LogResults, 'answer' | 'loading' | 'error' | 'verdict' | 'sequence' | 'network'>;
  readonly rows: Pick<ArrangedRows, 'length' | 'shown' | 'wanted' | 'working'>;
  /** What is known of forms; its version goes up when that changes. */
  readonly help: {
    readonly version: number;
    eventsFor(form: QueryForm): Promise<readonly KnownEvent[]>;
    knownOf(form: QueryForm): KnownAddresses;
    verifiedElsewhere(form: QueryForm): Promise<KnownAddresses['elsewhere']>;
  };
  readonly clock: Clock;
  readonly onDidChange: () => void;
}

/** What is shown in the place of the rows of a panel, where there are none. */
export class ShownEmpty {
  readonly #deps: ShownEmptyDeps;
  /** Events are looked for once for each answer and state of what is known. */
  #looked: string | undefined;
  #found: Found = {};

  constructor(deps: ShownEmptyDeps) {
    this.#deps = deps;
  }

  /** Undefined where there are rows, or where it is not certain that there are none. */
  of(asked: Asked | undefined, language: Language): EmptyRows | undefined {
    const { results, rows, help } = this.#deps;
    const { verdict, network, loading, error } = results;
    if (results.sequence.count > 0) return this.#filtered(language);
    if (!asked || !verdict || !network || loading || error !== undefined || rows.length > 0) return undefined;
    const isAbove = verdict.fromBlock > verdict.head;
    if (!isAbove && verdict.state !== 'complete') return undefined;
    if (!isAbove) this.#lookForEvents(asked.form);
    return emptyRows(
      { ...asked, verdict, network: network.name },
      { ...help.knownOf(asked.form), ...this.#found },
      language,
    );
  }

  #filtered({ l10n, locale }: Language): EmptyRows | undefined {
    const { rows, results } = this.#deps;
    const { length, shown, wanted, working } = rows;
    if (length > 0 || working || shown !== wanted || shown.filter.trim() === '') return undefined;
    const loaded = results.sequence.count.toLocaleString(locale);
    return {
      title: l10n.t('No row passes the filter'),
      detail: l10n.t('{0} loaded', loaded),
      reasons: [{ text: '', offers: [{ label: l10n.t('Clear filter') }] }],
    };
  }

  #lookForEvents(form: QueryForm): void {
    const { results, help } = this.#deps;
    const state = `${results.answer} ${help.version}`;
    if (this.#looked === state) return;
    if (!this.#looked?.startsWith(results.answer)) this.#found = {};
    this.#looked = state;
    void this.#look(form, state);
  }

  async #look(form: QueryForm, state: string): Promise<void> {
    const { help, clock } = this.#deps;
    const events = await help.eventsFor(form);
    const near = await nearestEvents(form.event, events, createTimeSlices(clock));
    if (this.#looked !== state) return;
    const { elsewhere: before } = this.#found;
    this.#show({ near, lacking: contractWithout(form.event, events), ...(before && { elsewhere: before }) });
    const elsewhere = await help.verifiedElsewhere(form);
    if (this.#looked === state && elsewhere) this.#show({ ...this.#found, elsewhere });
  }

  #show(found: Found): void {
    const isSame = JSON.stringify(found) === JSON.stringify(this.#found);
    this.#found = found;
    if (!isSame) this.#deps.onDidChange();
  }
}
