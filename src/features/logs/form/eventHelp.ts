import {
  type Address,
  type Clock,
  type ContractIndex,
  createTimeSlices,
  lazy,
  loadStandardEvents,
  sanitizeText,
} from '../../../core/index.ts';
import { eventsOf, gatherEvents, type KnownEvent } from '../../../host/contracts/knownEvents.ts';
import type { WorkspaceContracts } from '../../../host/contracts/workspaceContracts.ts';
import type { Localizer } from '../../../host/words/localizer.ts';
import { MOST_SUGGESTIONS, type Suggestion } from '../protocol/formHelp.ts';
import { rankEvents } from './rankEvents.ts';
import type { deployedOn } from './readForm.ts';

interface EventHelpDeps {
  readonly contracts: Pick<WorkspaceContracts, 'known'>;
  readonly clock: Clock;
  readonly l10n: Localizer;
}

/** What an event is looked for with. */
interface WantedEvent {
  readonly text: string;
  /** What is asked for: its events come first. */
  readonly addresses: readonly Address[];
  readonly deployedAt: ReturnType<typeof deployedOn>;
}

/** Characters of a declaration that are shown. */
const LONGEST_LABEL = 300;

/** Events of the workspace and of the bundled lists, gathered once for each state of the index. */
export class EventHelp {
  readonly #deps: EventHelpDeps;
  #gathered:
    | {
        readonly index: ContractIndex | undefined;
        readonly version: number | undefined;
        readonly all: () => Promise<readonly KnownEvent[]>;
      }
    | undefined;

  constructor(deps: EventHelpDeps) {
    this.#deps = deps;
  }

  /** The events that may be meant, the best first. */
  async find(
    { text, addresses, deployedAt }: WantedEvent,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<readonly Suggestion[]> {
    const events = await this.known({ addresses, deployedAt });
    if (signal.aborted) return [];
    const slices = createTimeSlices(this.#deps.clock);
    const found = await rankEvents(text, events, { most: MOST_SUGGESTIONS, slices });
    return found.map((event) => this.#suggestion(event));
  }

  /** Every known event, those of what is deployed at the addresses first, and of those the own before others. */
  async known({ addresses, deployedAt }: Omit<WantedEvent, 'text'>): Promise<readonly KnownEvent[]> {
    const asked = addresses.flatMap((address) => this.#eventsAt(address, deployedAt));
    const known = await this.#all();
    const taken = new Set(asked.map(({ declared }) => declared));
    return [...asked, ...known.filter(({ declared }) => !taken.has(declared))];
  }

  #eventsAt(address: Address, deployedAt: ReturnType<typeof deployedOn>): readonly KnownEvent[] {
    const deployment = deployedAt(address);
    const contract = deployment && this.#deps.contracts.known?.contractOf(deployment);
    return contract ? eventsOf(contract, 'asked') : [];
  }

  #all(): Promise<readonly KnownEvent[]> {
    const { contracts, clock } = this.#deps;
    const { known } = contracts;
    const last = this.#gathered;
    if (!last || last.index !== known || last.version !== known?.version) {
      const all = lazy(async () =>
        gatherEvents(known?.contracts ?? [], await loadStandardEvents(), createTimeSlices(clock)),
      );
      this.#gathered = { index: known, version: known?.version, all };
      return all();
    }
    return last.all();
  }

  #suggestion(event: KnownEvent): Suggestion {
    const { declared } = event;
    const label = declared.length > LONGEST_LABEL ? `${declared.slice(0, LONGEST_LABEL)}…` : declared;
    return { value: declared, label, detail: this.#detail(event) };
  }

  #detail({ contract, others, from, standing }: KnownEvent): string {
    const { l10n } = this.#deps;
    const file = sanitizeText(from, 200);
    if (contract === undefined) return file;
    const name = sanitizeText(contract, 64);
    const owner = others === 0 ? name : l10n.t('{0} and {1} more', name, others);
    const place = file === '' ? owner : `${owner} · ${file}`;
    return standing === 'asked' ? l10n.t('{0} · at this address', place) : place;
  }
}
