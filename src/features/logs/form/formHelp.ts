import * as vscode from 'vscode';
import {
  type Address,
  type Clock,
  type FindCreation,
  type FirstBlock,
  findAddressesByName,
  getFieldText,
  groupDigits,
  listAddressFields,
  type Network,
  parseAddress,
  type QueryForm,
  sanitizeText,
  splitList,
  toChecksumAddress,
} from '../../../core/index.ts';
import type { KnownEvent } from '../../../host/contracts/knownEvents.ts';
import type { WorkspaceContracts } from '../../../host/contracts/workspaceContracts.ts';
import type { Localizer } from '../../../host/l10n.ts';
import type { LogDecoding } from '../../../host/logDecoding.ts';
import type { NamedAddress } from '../../../host/names/addressName.ts';
import type { AddressNames } from '../../../host/names/addressNames.ts';
import { formatNameDetail } from '../../../host/names/addressPicker.ts';
import { type ChainDeps, formatOtherChains, getChainName, listChains } from '../../../host/session/chains.ts';
import { formatValidationError } from '../../../host/validationErrors.ts';
import {
  type FormErrors,
  type FormFacts,
  MAX_SUGGESTIONS,
  type ResolvedForm,
  type Suggestion,
  type TypedEvent,
} from '../protocol/protocol.ts';
import { EventSuggestions } from './eventSuggestions.ts';
import {
  createDeploymentLookup,
  type FormKnowledge,
  formatFilter,
  formatIdentity,
  type KnownAddresses,
  type ParsedForm,
  parseForm,
} from './readForm.ts';

/** Named addresses that match the typed text: deployments first, then the best matches. */
function createAddressSuggestions(
  typed: string,
  names: AddressNames,
  chainId: number,
): readonly Suggestion[] {
  const text = typed.trim();
  const found = text === '' ? names.all(chainId) : names.find(text, chainId);
  const first = found.filter(isDeployment);
  const others = found.filter((named) => !isDeployment(named));
  return [...first, ...others].slice(0, MAX_SUGGESTIONS).map((named) => {
    const value = toChecksumAddress(named.address);
    return { value, label: named.name, detail: `${value} · ${formatNameDetail(named)}` };
  });
}

function isDeployment({ provider }: NamedAddress): boolean {
  return provider === 'deployment';
}

interface FormHelpDeps extends ChainDeps {
  /** The network that the panel queries. */
  readonly asked: { readonly network: Network; readonly onDidChange: vscode.Event<unknown> };
  readonly contracts: WorkspaceContracts;
  readonly names: AddressNames;
  readonly meaning: Pick<LogDecoding, 'createdAt' | 'identityAt' | 'prefetchCreations' | 'verifiedOn'>;
  readonly clock: Clock;
  readonly l10n: Localizer;
}

/** Addresses of a field that are described. */
const MAX_DESCRIBED_ADDRESSES = 5;

/** Helps with the form of one panel: events, names and deployments on the chain that it queries. */
export class FormHelp {
  /** Increases when a result may have changed. */
  version = 0;
  readonly #deps: FormHelpDeps;
  readonly #following: vscode.Disposable;
  readonly #events: EventSuggestions;
  readonly #changed: () => void;
  #isOver = false;

  constructor(deps: FormHelpDeps, onDidChange: () => void) {
    this.#deps = deps;
    this.#events = new EventSuggestions(deps);
    const changed = () => {
      this.version++;
      onDidChange();
    };
    this.#changed = changed;
    const { contracts, names, asked } = deps;
    const events = [contracts.onDidRead, names.onDidChange, asked.onDidChange];
    this.#following = vscode.Disposable.from(...events.map((event) => event(changed)));
    // The requests that need the index report its errors.
    contracts.index().catch(() => undefined);
  }

  /** The filter of a form, or its validation errors. */
  parse(form: QueryForm): ParsedForm {
    return parseForm(form, this.#knowledge());
  }

  resolve(typed: QueryForm): ResolvedForm {
    const { form, errors } = this.parse(typed);
    return { form, errors };
  }

  factsOf(typed: QueryForm): FormFacts {
    const { form, first, filter } = this.parse(typed);
    if (!first && form.fromBlock.trim() === '') void this.#wantCreated(form);
    return {
      firstBlock: first && this.#firstBlock(first),
      elsewhere: this.#elsewhere(form),
      names: this.#namesIn(form),
      sent: filter && formatFilter(filter),
    };
  }

  /** All events; those at the form's addresses first. */
  eventsFor(form: QueryForm): Promise<readonly KnownEvent[]> {
    return this.#events.known({ addresses: addressesIn(form.address), findDeployment: this.#deployedAt() });
  }

  /** What is known, without a request, about the addresses of a query with no rows. */
  knownOf(form: QueryForm): KnownAddresses {
    const { names, asked } = this.#deps;
    const elsewhere = this.#elsewhere(form);
    return {
      findDeployment: this.#deployedAt(),
      createdAt: this.#createdAt(),
      nameOf: (address) => names.nameOf(address, asked.network.chainId)?.name,
      elsewhere: elsewhere && { ...elsewhere, chain: getChainName(this.#deps, elsewhere.chainId) },
    };
  }

  /** Another chain on which the form's contract is verified, if the settings allow requests for that. */
  async verifiedElsewhere(form: QueryForm): Promise<KnownAddresses['elsewhere']> {
    const { meaning, asked, l10n } = this.#deps;
    const [address] = addressesIn(form.address);
    if (!address || this.#elsewhere(form)) return undefined;
    const [chainId, ...others] = await meaning.verifiedOn(address, asked.network);
    if (chainId === undefined) return undefined;
    const chain = getChainName(this.#deps, chainId);
    const words =
      others.length === 0
        ? l10n.t('A contract at this address is verified on {0}.', chain)
        : l10n.t('A contract at this address is verified on {0} and {1} other chains.', chain, others.length);
    return { words, chainId, chain };
  }

  completeEvents(
    { text, address }: TypedEvent,
    options: { readonly signal: AbortSignal },
  ): Promise<readonly Suggestion[]> {
    const wanted = { text, addresses: addressesIn(address), findDeployment: this.#deployedAt() };
    return this.#events.find(wanted, options);
  }

  completeAddresses(typed: string): readonly Suggestion[] {
    const { names, asked } = this.#deps;
    return createAddressSuggestions(typed, names, asked.network.chainId);
  }

  dispose(): void {
    this.#isOver = true;
    this.#following.dispose();
  }

  #knowledge(): FormKnowledge {
    const { names, asked, l10n } = this.#deps;
    return {
      findAddressesByName: (name) => findAddressesByName(name, names.all(asked.network.chainId)),
      findDeployment: this.#deployedAt(),
      createdAt: this.#createdAt(),
      words: {
        problem: (problem) => formatValidationError(problem, l10n),
        unclear: ({ name, count }) =>
          count === 0
            ? l10n.t(
                'No address is called {0}. Write 0x and 40 hex digits, or choose a name.',
                sanitizeText(name, 80),
              )
            : l10n.t('{0} addresses are called {1}: choose one of them.', count, sanitizeText(name, 80)),
      },
    };
  }

  #deployedAt() {
    const { contracts, asked } = this.#deps;
    return createDeploymentLookup(contracts.known, asked.network.chainId);
  }

  /** Fetches the creation block of the form's addresses, for an empty first block. */
  async #wantCreated({ address }: QueryForm): Promise<void> {
    const { meaning, asked } = this.#deps;
    const isMore = await meaning.prefetchCreations(addressesIn(address), asked.network);
    if (isMore && !this.#isOver) this.#changed();
  }

  #createdAt(): FindCreation {
    const { meaning, asked } = this.#deps;
    return (address) => meaning.createdAt(address, asked.network);
  }

  #firstBlock({ block, contract }: FirstBlock): FormFacts['firstBlock'] {
    const { l10n } = this.#deps;
    const why =
      contract === undefined
        ? l10n.t('when it was deployed')
        : l10n.t('when {0} was deployed', sanitizeText(contract, 64));
    return { block: groupDigits(block), why };
  }

  #elsewhere(form: QueryForm): FormFacts['elsewhere'] {
    const { names, asked, l10n } = this.#deps;
    for (const address of addressesIn(form.address)) {
      const there = names.elsewhere(address, asked.network.chainId);
      const words = formatOtherChains(there, this.#deps, asked.network);
      const [chainId] = listChains(there);
      if (words === undefined || chainId === undefined) continue;
      return { words, chainId, button: l10n.t('Switch to {0}', getChainName(this.#deps, chainId)) };
    }
    return undefined;
  }

  #namesIn(form: QueryForm): FormErrors {
    const { names, asked } = this.#deps;
    const found = listAddressFields(form).flatMap((field) => {
      const known = addressesIn(getFieldText(form, field)).flatMap(
        (address) => names.nameOf(address, asked.network.chainId)?.name ?? [],
      );
      return known.length === 0 ? [] : [[field, known.join(', ')] as const];
    });
    const { address, ...others } = Object.fromEntries(found) as FormErrors;
    const what = [address, this.#identityWords(form)].filter((words) => words !== undefined);
    return { ...others, ...(what.length > 0 && { address: what.join(' · ') }) };
  }

  /** Describes the contract at the form's only address. */
  #identityWords(form: QueryForm): string | undefined {
    const { meaning, names, asked, l10n } = this.#deps;
    const { chainId } = asked.network;
    const [address, ...others] = addressesIn(form.address);
    const identity = address && others.length === 0 ? meaning.identityAt(address, asked.network) : undefined;
    const nameOf = (one: Address) => names.nameOf(one, chainId)?.name;
    return identity && formatIdentity(identity, { l10n, nameOf });
  }
}

function addressesIn(text: string): readonly Address[] {
  return splitList(text)
    .slice(0, MAX_DESCRIBED_ADDRESSES)
    .flatMap((part) => parseAddress(part) ?? []);
}
