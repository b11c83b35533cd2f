import {
  type Address,
  type Clock,
  type ContractIndex,
  compareValues,
  createTimeSlices,
  lazy,
  loadStandardEvents,
  parseAbiItem,
  sanitizeText,
  type TimeSlices,
} from '../../../core/index.ts';
import {
  collectEvents,
  type EventRank,
  type KnownEvent,
  listContractEvents,
} from '../../../host/contracts/knownEvents.ts';
import type { WorkspaceContracts } from '../../../host/contracts/workspaceContracts.ts';
import type { Localizer } from '../../../host/l10n.ts';
import { isWordStart } from '../../../host/names/addressName.ts';
import { MAX_SUGGESTIONS, type Suggestion } from '../protocol/protocol.ts';
import type { createDeploymentLookup } from './readForm.ts';

interface EventHelpDeps {
  readonly contracts: Pick<WorkspaceContracts, 'known'>;
  readonly clock: Clock;
  readonly l10n: Localizer;
}

interface WantedEvent {
  readonly text: string;
  /** Events of the contracts at these addresses come first. */
  readonly addresses: readonly Address[];
  readonly findDeployment: ReturnType<typeof createDeploymentLookup>;
}

const MAX_LABEL_CHARS = 300;

/** Suggests events of the workspace and the bundled lists, collected once per state of the index. */
export class EventSuggestions {
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

  /** The matching events, best first. */
  async find(
    { text, addresses, findDeployment }: WantedEvent,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<readonly Suggestion[]> {
    const events = await this.known({ addresses, findDeployment });
    if (signal.aborted) return [];
    const slices = createTimeSlices(this.#deps.clock);
    const found = await rankEvents(text, events, { most: MAX_SUGGESTIONS, slices });
    return found.map((event) => this.#suggestion(event));
  }

  /** All events: first those of the contracts at the addresses, then the workspace's own, then others. */
  async known({ addresses, findDeployment }: Omit<WantedEvent, 'text'>): Promise<readonly KnownEvent[]> {
    const asked = addresses.flatMap((address) => this.#eventsAt(address, findDeployment));
    const known = await this.#all();
    const taken = new Set(asked.map(({ declared }) => declared));
    return [...asked, ...known.filter(({ declared }) => !taken.has(declared))];
  }

  #eventsAt(address: Address, deployedAt: ReturnType<typeof createDeploymentLookup>): readonly KnownEvent[] {
    const deployment = deployedAt(address);
    const contract = deployment && this.#deps.contracts.known?.contractOf(deployment);
    return contract ? listContractEvents(contract, 'asked') : [];
  }

  #all(): Promise<readonly KnownEvent[]> {
    const { contracts, clock } = this.#deps;
    const { known } = contracts;
    const last = this.#gathered;
    if (!last || last.index !== known || last.version !== known?.version) {
      const all = lazy(async () =>
        collectEvents(known?.contracts ?? [], await loadStandardEvents(), createTimeSlices(clock)),
      );
      this.#gathered = { index: known, version: known?.version, all };
      return all();
    }
    return last.all();
  }

  #suggestion(event: KnownEvent): Suggestion {
    const { declared } = event;
    const label = declared.length > MAX_LABEL_CHARS ? `${declared.slice(0, MAX_LABEL_CHARS)}…` : declared;
    return { value: declared, label, detail: this.#detail(event) };
  }

  #detail({ contract, others, from, rank }: KnownEvent): string {
    const { l10n } = this.#deps;
    const file = sanitizeText(from, 200);
    if (contract === undefined) return file;
    const name = sanitizeText(contract, 64);
    const owner = others === 0 ? name : l10n.t('{0} and {1} more', name, others);
    const place = file === '' ? owner : `${owner} · ${file}`;
    return rank === 'asked' ? l10n.t('{0} · at this address', place) : place;
  }
}

/** Weighs less than an exact name, and more than a short one. */
const WORTH: Readonly<Record<EventRank, number>> = { asked: 300, own: 60, library: 30, bundled: 0 };
const EXACT = 1000;
const BEGINS = 500;
const BEGINS_WORD = 150;
const INSIDE = 120;
const WORDS_SCORE = 100;
const MAX_TERMS = 6;
/** Events between two checks of the time slice. */
const STRIDE = 512;

/**
 * The events that match the typed text, best first: names that begin with it, then names that contain it,
 * then names whose words begin with its letters. Further terms may match the contract or file. Text after a
 * parenthesis is matched against the types.
 */
export async function rankEvents(
  typed: string,
  events: readonly KnownEvent[],
  { most, slices }: { readonly most: number; readonly slices: TimeSlices },
): Promise<readonly KnownEvent[]> {
  const [words = '', ...parameters] = typed.replace(/^\s*event\s+/, '').split('(');
  const terms = words.trim().toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_TERMS);
  const found: { readonly event: KnownEvent; readonly score: number }[] = [];
  for (const [index, event] of events.entries()) {
    const score = scoreOf(terms, event);
    if (score !== undefined) found.push({ event, score: score + WORTH[event.rank] });
    if (index % STRIDE === 0 && slices.isOver()) await slices.rest();
  }
  found.sort((a, b) => b.score - a.score || compareDeclared(a.event.declared, b.event.declared));
  const wanted = parameters.length === 0 ? undefined : squeezed(parameters.join('('));
  return pick(
    found.map(({ event }) => event),
    wanted,
    most,
  );
}

function scoreOf(terms: readonly string[], { name, contract = '', from }: KnownEvent): number | undefined {
  let score = 0;
  for (const term of terms) {
    const ofName = nameScore(term, name);
    const ofOthers = wordScore(term, contract) ?? wordScore(term, from);
    if (ofName === undefined && ofOthers === undefined) return undefined;
    score += Math.max(ofName ?? 0, ofOthers ?? 0);
  }
  return score;
}

function nameScore(term: string, name: string): number | undefined {
  const lower = name.toLowerCase();
  const shortness = 1 - Math.min(name.length, 50) / 50;
  if (lower === term) return EXACT;
  const at = lower.indexOf(term);
  if (at >= 0) return (at === 0 ? BEGINS : isWordStart(name, at) ? BEGINS_WORD : INSIDE) + shortness;
  return isOfWords(term, lower, name) ? WORDS_SCORE + shortness : undefined;
}

/**
 * Whether `term` consists of the beginnings of words of the name, in order: `otr` in `OwnershipTransferred`.
 */
function isOfWords(term: string, lower: string, name: string): boolean {
  if (term.length > name.length) return false;
  // Positions after a possible match of the characters so far. Each position is tried once per character.
  let behind = new Set([0]);
  for (const character of term) {
    const next = new Set<number>();
    const first = Math.min(...behind);
    for (let at = first; at < name.length; at++) {
      if (lower[at] === character && (isWordStart(name, at) || (behind.has(at) && at > 0))) next.add(at + 1);
    }
    if (next.size === 0) return false;
    behind = next;
  }
  return true;
}

/** In contracts and files only the beginnings of words count: they are many, and long. */
function wordScore(term: string, text: string): number | undefined {
  const at = text.toLowerCase().indexOf(term);
  return at === 0 || (at > 0 && !/[a-z0-9]/i.test(text[at - 1] ?? '')) ? 1 : undefined;
}

/** The first ones, each layout once: parameter names make no difference on the chain. */
function pick(
  ranked: readonly KnownEvent[],
  wanted: string | undefined,
  most: number,
): readonly KnownEvent[] {
  const picked: KnownEvent[] = [];
  const seen = new Set<string>();
  let read = 0;
  for (const event of ranked) {
    // Parsing and hashing are costly, and events far down the list were not meant.
    if (picked.length === most || read === most * 4) break;
    read++;
    const item = parseAbiItem(`event ${event.declared}`);
    if (item?.kind !== 'event') continue;
    const layout = item.signature + item.inputs.map(({ indexed }) => (indexed ? 'i' : '-')).join('');
    if (seen.has(layout) || !fits(event.declared, item.signature, wanted)) continue;
    seen.add(layout);
    picked.push(event);
  }
  return picked;
}

function fits(declared: string, signature: string, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  const inside = (text: string) => squeezed(text.slice(text.indexOf('(') + 1));
  return inside(signature).startsWith(wanted) || inside(declared).startsWith(wanted);
}

function squeezed(text: string): string {
  return text.toLowerCase().replace(/\s+/g, '');
}

/** Shorter first: common declarations are short. */
function compareDeclared(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return compareValues(a, b);
}
