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
import { MAX_SUGGESTIONS, type Suggestion } from '../../../messaging/panel.ts';
import type { createDeploymentLookup } from './readForm.ts';

interface EventHelpDeps {
  readonly contracts: Pick<WorkspaceContracts, 'known'>;
  readonly clock: Clock;
  readonly l10n: Localizer;
}

interface EventQuery {
  readonly text: string;
  /** Events of the contracts at these addresses come first. */
  readonly addresses: readonly Address[];
  readonly findDeployment: ReturnType<typeof createDeploymentLookup>;
}

const MAX_LABEL_CHARS = 300;

/** Suggests events of the workspace and the bundled lists, collected once per state of the index. */
export class EventSuggestions {
  readonly #deps: EventHelpDeps;
  #cache:
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
    { text, addresses, findDeployment }: EventQuery,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<readonly Suggestion[]> {
    const events = await this.list({ addresses, findDeployment });
    if (signal.aborted) return [];
    const slices = createTimeSlices(this.#deps.clock);
    const found = await rankEvents(text, events, { limit: MAX_SUGGESTIONS, slices });
    return found.map((event) => this.#toSuggestion(event));
  }

  /** All events: first those of the contracts at the addresses, then the workspace's own, then others. */
  async list({ addresses, findDeployment }: Omit<EventQuery, 'text'>): Promise<readonly KnownEvent[]> {
    const atAddresses = addresses.flatMap((address) => this.#listEventsAt(address, findDeployment));
    const all = await this.#listAll();
    const listed = new Set(atAddresses.map(({ declared }) => declared));
    return [...atAddresses, ...all.filter(({ declared }) => !listed.has(declared))];
  }

  #listEventsAt(
    address: Address,
    findDeployment: ReturnType<typeof createDeploymentLookup>,
  ): readonly KnownEvent[] {
    const deployment = findDeployment(address);
    const contract = deployment && this.#deps.contracts.known?.contractOf(deployment);
    return contract ? listContractEvents(contract, 'asked') : [];
  }

  #listAll(): Promise<readonly KnownEvent[]> {
    const { contracts, clock } = this.#deps;
    const { known: index } = contracts;
    const cached = this.#cache;
    if (!cached || cached.index !== index || cached.version !== index?.version) {
      const all = lazy(async () =>
        collectEvents(index?.contracts ?? [], await loadStandardEvents(), createTimeSlices(clock)),
      );
      this.#cache = { index, version: index?.version, all };
      return all();
    }
    return cached.all();
  }

  #toSuggestion(event: KnownEvent): Suggestion {
    const { declared } = event;
    const label = declared.length > MAX_LABEL_CHARS ? `${declared.slice(0, MAX_LABEL_CHARS)}…` : declared;
    return { value: declared, label, detail: this.#formatDetail(event) };
  }

  #formatDetail({ contract, others, from, rank }: KnownEvent): string {
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
const RANK_SCORES: Readonly<Record<EventRank, number>> = { asked: 300, own: 60, library: 30, bundled: 0 };
const EXACT_SCORE = 1000;
const PREFIX_SCORE = 500;
const WORD_PREFIX_SCORE = 150;
const SUBSTRING_SCORE = 120;
const WORD_STARTS_SCORE = 100;
const MAX_TERMS = 6;
/** Events between two checks of the time slice. */
const EVENTS_PER_CHECK = 512;

/**
 * The events that match the typed text, best first: names that begin with it, then names that contain it,
 * then names whose words begin with its letters. Further terms may match the contract or file. Text after a
 * parenthesis is matched against the types.
 */
export async function rankEvents(
  typed: string,
  events: readonly KnownEvent[],
  { limit, slices }: { readonly limit: number; readonly slices: TimeSlices },
): Promise<readonly KnownEvent[]> {
  const [text = '', ...parameters] = typed.replace(/^\s*event\s+/, '').split('(');
  const terms = text.trim().toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_TERMS);
  const found: { readonly event: KnownEvent; readonly score: number }[] = [];
  for (const [index, event] of events.entries()) {
    const score = scoreEvent(terms, event);
    if (score !== undefined) found.push({ event, score: score + RANK_SCORES[event.rank] });
    if (index % EVENTS_PER_CHECK === 0 && slices.isOver()) await slices.rest();
  }
  found.sort((a, b) => b.score - a.score || compareDeclared(a.event.declared, b.event.declared));
  const normalized = parameters.length === 0 ? undefined : normalizeSpaces(parameters.join('('));
  return pickDistinct(
    found.map(({ event }) => event),
    normalized,
    limit,
  );
}

function scoreEvent(terms: readonly string[], { name, contract = '', from }: KnownEvent): number | undefined {
  let score = 0;
  for (const term of terms) {
    const byName = scoreName(term, name);
    const byOrigin = scoreText(term, contract) ?? scoreText(term, from);
    if (byName === undefined && byOrigin === undefined) return undefined;
    score += Math.max(byName ?? 0, byOrigin ?? 0);
  }
  return score;
}

function scoreName(term: string, name: string): number | undefined {
  const lower = name.toLowerCase();
  const shortness = 1 - Math.min(name.length, 50) / 50;
  if (lower === term) return EXACT_SCORE;
  const at = lower.indexOf(term);
  if (at >= 0)
    return (
      (at === 0 ? PREFIX_SCORE : isWordStart(name, at) ? WORD_PREFIX_SCORE : SUBSTRING_SCORE) + shortness
    );
  return matchesWordStarts(term, lower, name) ? WORD_STARTS_SCORE + shortness : undefined;
}

/**
 * Whether `term` consists of the beginnings of words of the name, in order: `otr` in `OwnershipTransferred`.
 */
function matchesWordStarts(term: string, lower: string, name: string): boolean {
  if (term.length > name.length) return false;
  // Positions after a possible match of the characters so far. Each position is tried once per character.
  let positions = new Set([0]);
  for (const character of term) {
    const next = new Set<number>();
    const first = Math.min(...positions);
    for (let at = first; at < name.length; at++) {
      if (lower[at] === character && (isWordStart(name, at) || (positions.has(at) && at > 0)))
        next.add(at + 1);
    }
    if (next.size === 0) return false;
    positions = next;
  }
  return true;
}

/** In contracts and files only the beginnings of words count: they are many, and long. */
function scoreText(term: string, text: string): number | undefined {
  const at = text.toLowerCase().indexOf(term);
  return at === 0 || (at > 0 && !/[a-z0-9]/i.test(text[at - 1] ?? '')) ? 1 : undefined;
}

/** The first ones, each layout once: parameter names make no difference on the chain. */
function pickDistinct(
  ranked: readonly KnownEvent[],
  parameters: string | undefined,
  limit: number,
): readonly KnownEvent[] {
  const picked: KnownEvent[] = [];
  const seen = new Set<string>();
  let parsed = 0;
  for (const event of ranked) {
    // Parsing and hashing are costly, and events far down the list were not meant.
    if (picked.length === limit || parsed === limit * 4) break;
    parsed++;
    const item = parseAbiItem(`event ${event.declared}`);
    if (item?.kind !== 'event') continue;
    const layout = item.signature + item.inputs.map(({ indexed }) => (indexed ? 'i' : '-')).join('');
    if (seen.has(layout) || !matchesParameters(event.declared, item.signature, parameters)) continue;
    seen.add(layout);
    picked.push(event);
  }
  return picked;
}

function matchesParameters(declared: string, signature: string, parameters: string | undefined): boolean {
  if (parameters === undefined) return true;
  const inside = (text: string) => normalizeSpaces(text.slice(text.indexOf('(') + 1));
  return inside(signature).startsWith(parameters) || inside(declared).startsWith(parameters);
}

function normalizeSpaces(text: string): string {
  return text.toLowerCase().replace(/\s+/g, '');
}

/** Shorter first: common declarations are short. */
function compareDeclared(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return compareValues(a, b);
}
