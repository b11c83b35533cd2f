import * as vscode from 'vscode';
import {
  type Address,
  type Clock,
  type FindCreation,
  type FindDeclaredEvents,
  type FirstBlock,
  findAddressesByName,
  formatEnumMembers,
  formatPickedName,
  formatShortAddress,
  getArgumentField,
  getChainKey,
  getFieldText,
  listAddressFields,
  listArgumentEnums,
  listNamed,
  type NameEntry,
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
import { formatValidationError } from '../../../host/l10n.ts';
import type { LogDecoding } from '../../../host/logDecoding.ts';
import { isMissingDeployment } from '../../../host/names/addressName.ts';
import type { AddressNames } from '../../../host/names/addressNames.ts';
import { formatNamedDetail } from '../../../host/names/addressPicker.ts';
import { formatNumber } from '../../../host/numbers.ts';
import { type ChainDeps, formatOtherChains, getChainName, listChains } from '../../../host/session/chains.ts';
import {
  createAddressSuggestions,
  createMemberSuggestions,
  type FoundAddress,
} from '../../../host/suggestions.ts';
import type { Suggestion } from '../../../messaging/panel.ts';
import type { FormErrors, FormFacts, ResolvedForm, TypedEvent } from '../protocol/protocol.ts';
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

interface FormHelpDeps extends ChainDeps {
  /** The network that the panel queries. */
  readonly panelNetwork: { readonly network: Network; readonly onDidChange: vscode.Event<unknown> };
  readonly contracts: WorkspaceContracts;
  readonly names: AddressNames;
  /** Those in the rows of the panel and in files of the workspace. */
  readonly listFoundAddresses: () => Iterable<FoundAddress>;
  readonly meaning: Pick<LogDecoding, 'createdAt' | 'identityAt' | 'prefetchCreations' | 'verifiedOn'>;
  readonly clock: Clock;
  readonly l10n: Localizer;
}

/** Helps with the form of one panel: events, names and deployments on the chain that it queries. */
export class FormHelp {
  /** Increases when a result may have changed. */
  version = 0;
  readonly #deps: FormHelpDeps;
  readonly #subscriptions: vscode.Disposable;
  readonly #events: EventSuggestions;
  readonly #notifyChange: () => void;
  /** The form whose deployments were last checked, and when. */
  #checked = { form: '', at: 0 };
  #isDisposed = false;

  constructor(deps: FormHelpDeps, onDidChange: () => void) {
    this.#deps = deps;
    this.#events = new EventSuggestions(deps);
    const changed = () => {
      this.version++;
      onDidChange();
    };
    this.#notifyChange = changed;
    const { contracts, names, panelNetwork } = deps;
    const events = [contracts.onDidRead, names.onDidChange, panelNetwork.onDidChange];
    this.#subscriptions = vscode.Disposable.from(...events.map((event) => event(changed)));
    // The requests that need the index report its errors.
    contracts.index().catch(() => undefined);
  }

  /** The filter of a form, or its validation errors. */
  parse(form: QueryForm): ParsedForm {
    return parseForm(form, this.#getKnowledge());
  }

  resolve(typed: QueryForm): ResolvedForm {
    const { form, errors } = this.parse(typed);
    return { form, errors };
  }

  getFacts(typed: QueryForm): FormFacts {
    const { form, first, filter } = this.parse(typed);
    if (!first && form.fromBlock.trim() === '') void this.#prefetchCreations(form);
    const members = this.#describeEnums(form);
    return {
      firstBlock: first && this.#formatFirstBlock(first),
      elsewhere: this.#findElsewhere(form),
      names: { ...this.#listNames(form), ...members.names },
      members: members.suggestions,
      sent: filter && formatFilter(filter),
    };
  }

  /** All events; those at the form's addresses first. */
  listEvents(form: QueryForm): Promise<readonly KnownEvent[]> {
    return this.#events.list({
      addresses: listAddresses(form.address),
      findDeployment: this.#createDeploymentLookup(),
    });
  }

  /** What is known about the addresses of a query with no rows. Checks meanwhile whether its deployments exist. */
  getKnownAddresses(form: QueryForm): KnownAddresses {
    const { names, panelNetwork } = this.#deps;
    const elsewhere = this.#findElsewhere(form);
    void this.#checkDeployments(form);
    return {
      findDeployment: this.#createDeploymentLookup(),
      createdAt: this.#createCreationLookup(),
      nameOf: (address) => names.nameOf(address, panelNetwork.network.chainId)?.name,
      isMissing: (address) => this.#isMissing(address),
      elsewhere: elsewhere && { ...elsewhere, chain: getChainName(this.#deps, elsewhere.chainId) },
    };
  }

  /** Another chain on which the form's contract is verified, if the settings allow requests for that. */
  async findVerifiedElsewhere(form: QueryForm): Promise<KnownAddresses['elsewhere']> {
    const { meaning, panelNetwork, l10n } = this.#deps;
    const [address] = listAddresses(form.address);
    if (!address || this.#findElsewhere(form)) return undefined;
    const [chainId, ...others] = await meaning.verifiedOn(address, panelNetwork.network);
    if (chainId === undefined) return undefined;
    const chain = getChainName(this.#deps, chainId);
    const words =
      others.length === 0
        ? l10n.t('A contract at this address is verified on {0}.', chain)
        : others.length === 1
          ? l10n.t('A contract at this address is verified on {0} and 1 other chain.', chain)
          : l10n.t(
              'A contract at this address is verified on {0} and {1} other chains.',
              chain,
              others.length,
            );
    return { message: words, chainId, chain };
  }

  completeEvents(
    { text, address }: TypedEvent,
    options: { readonly signal: AbortSignal },
  ): Promise<readonly Suggestion[]> {
    const query = { text, addresses: listAddresses(address), findDeployment: this.#createDeploymentLookup() };
    return this.#events.find(query, options);
  }

  completeAddresses(typed: string): readonly Suggestion[] {
    const { names, panelNetwork, listFoundAddresses, l10n } = this.#deps;
    return createAddressSuggestions(typed, {
      ...{ names, l10n, chainId: panelNetwork.network.chainId },
      ...{ named: this.#listNamed(), takesSeveral: true },
      found: listFoundAddresses,
      formatDetail: formatNamedDetail,
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#subscriptions.dispose();
  }

  #getKnowledge(): FormKnowledge {
    const { l10n } = this.#deps;
    return {
      findAddressesByName: (name) => findAddressesByName(name, this.#listNamed()),
      findDeclaredEvents: this.#findDeclaredEvents,
      findDeployment: this.#createDeploymentLookup(),
      createdAt: this.#createCreationLookup(),
      messages: {
        formatError: (error) => formatValidationError(error, l10n),
        formatAmbiguousName({ name, count, addresses = [] }) {
          const shown = sanitizeText(name, 80);
          const [first] = addresses;
          if (!first)
            return l10n.t('No address is called {0}. Enter 0x and 40 hex digits, or choose a name.', shown);
          const picked = formatPickedName(shown, first, addresses);
          return l10n.t(
            '{0} addresses are called {1}. Choose one of them, or enter {2}.',
            ...[count, shown, picked],
          );
        },
      },
    };
  }

  #listNamed(): readonly NameEntry[] {
    const { names, panelNetwork } = this.#deps;
    return names.entries(panelNetwork.network.chainId);
  }

  /** The name of an address, and which deployment it is if several are called so. */
  #describeName(address: Address): string | undefined {
    const { names, panelNetwork, l10n } = this.#deps;
    const named = names.nameOf(address, panelNetwork.network.chainId);
    if (!named) return undefined;
    const all = listNamed(named.name, this.#listNamed());
    if (all.length < 2 || !all.includes(address)) return named.name;
    const short = formatShortAddress(toChecksumAddress(address));
    return l10n.t('{0} {1}, newest of {2} deployments', named.name, short, formatNumber(all.length));
  }

  readonly #findDeclaredEvents: FindDeclaredEvents = (topic0, address) => {
    const { contracts, panelNetwork } = this.#deps;
    const { chainId } = panelNetwork.network;
    return contracts.known?.declaredEvents(topic0, address && { address, chainId }) ?? [];
  };

  /** The members of enums that arguments may be, and those that they are. */
  #describeEnums(form: QueryForm): { names: FormErrors; suggestions: FormFacts['members'] } {
    const enums = [...listArgumentEnums(form, this.#findDeclaredEvents)].flatMap(([key, type]) =>
      type ? [{ field: getArgumentField(key), type }] : [],
    );
    const names = enums.flatMap(({ field, type }) => {
      const values = splitList(getFieldText(form, field)).slice(0, MAX_DESCRIBED_MEMBERS);
      const members = formatEnumMembers(type, values);
      return members.some((member, index) => member !== values[index])
        ? [[field, sanitizeText(members.join(', '))] as const]
        : [];
    });
    const suggestions = enums.map(({ field, type }) => [field, createMemberSuggestions(type)] as const);
    return { names: Object.fromEntries(names), suggestions: Object.fromEntries(suggestions) };
  }

  #createDeploymentLookup() {
    const { contracts, panelNetwork } = this.#deps;
    return createDeploymentLookup(contracts.known, panelNetwork.network.chainId);
  }

  /** Fetches the creation block of the form's addresses, for an empty first block. */
  async #prefetchCreations({ address }: QueryForm): Promise<void> {
    const { meaning, panelNetwork } = this.#deps;
    const hasNew = await meaning.prefetchCreations(listAddresses(address), panelNetwork.network);
    if (hasNew && !this.#isDisposed) this.#notifyChange();
  }

  /** Fetches whether there is code where the project has deployed the contracts of a form. */
  async #checkDeployments(form: QueryForm): Promise<void> {
    const { names, meaning, panelNetwork } = this.#deps;
    const { network } = panelNetwork;
    const checked = { form: `${getChainKey(network)} ${form.address}`, at: this.#deps.clock.elapsed() };
    const isRecent = checked.form === this.#checked.form && checked.at - this.#checked.at < CHECK_INTERVAL_MS;
    if (isRecent) return;
    this.#checked = checked;
    const isDeployed = (address: Address) =>
      names.namesOf(address, network.chainId).some(({ provider }) => provider === 'deployment');
    const addresses = listAddresses(form.address).filter(isDeployed);
    const hasNew = await meaning.prefetchCreations(addresses, network);
    if (hasNew && !this.#isDisposed) this.#notifyChange();
  }

  #isMissing(address: Address): boolean {
    const { names, meaning, panelNetwork } = this.#deps;
    const { network } = panelNetwork;
    return isMissingDeployment(meaning.identityAt(address, network), names.namesOf(address, network.chainId));
  }

  #createCreationLookup(): FindCreation {
    const { meaning, panelNetwork } = this.#deps;
    return (address) => meaning.createdAt(address, panelNetwork.network);
  }

  #formatFirstBlock({ block, contract }: FirstBlock): FormFacts['firstBlock'] {
    const { l10n } = this.#deps;
    const reason =
      contract === undefined
        ? l10n.t('Deployment block')
        : l10n.t('Deployment block of {0}', sanitizeText(contract, 64));
    return { block: formatNumber(block), why: reason };
  }

  #findElsewhere(form: QueryForm): FormFacts['elsewhere'] {
    const { names, panelNetwork, l10n } = this.#deps;
    for (const address of listAddresses(form.address)) {
      const deployments = names.elsewhere(address, panelNetwork.network.chainId);
      const words = formatOtherChains(deployments, this.#deps, panelNetwork.network);
      const [chainId] = listChains(deployments);
      if (words === undefined || chainId === undefined) continue;
      return { message: words, chainId, button: l10n.t('Switch to {0}', getChainName(this.#deps, chainId)) };
    }
    return undefined;
  }

  #listNames(form: QueryForm): FormErrors {
    const found = listAddressFields(form).flatMap((field) => {
      const fieldNames = listAddresses(getFieldText(form, field)).flatMap(
        (address) => this.#describeName(address) ?? [],
      );
      return fieldNames.length === 0 ? [] : [[field, fieldNames.join(', ')] as const];
    });
    const { address, ...others } = Object.fromEntries(found) as FormErrors;
    const parts = [address, this.#formatIdentity(form)].filter((text) => text !== undefined);
    return { ...others, ...(parts.length > 0 && { address: parts.join(' · ') }) };
  }

  /** Describes the contract at the form's only address. */
  #formatIdentity(form: QueryForm): string | undefined {
    const { meaning, names, panelNetwork, l10n } = this.#deps;
    const { chainId } = panelNetwork.network;
    const [address, ...others] = listAddresses(form.address);
    const identity =
      address && others.length === 0 ? meaning.identityAt(address, panelNetwork.network) : undefined;
    const nameOf = (one: Address) => names.nameOf(one, chainId)?.name;
    return identity && formatIdentity(identity, { l10n, nameOf, network: panelNetwork.network.name });
  }
}

/** A contract may be deployed meanwhile. */
const CHECK_INTERVAL_MS = 10_000;

const MAX_DESCRIBED_MEMBERS = 5;

/** Addresses of a field that are described. */
const MAX_DESCRIBED_ADDRESSES = 5;

function listAddresses(text: string): readonly Address[] {
  return splitList(text)
    .slice(0, MAX_DESCRIBED_ADDRESSES)
    .flatMap((part) => parseAddress(part) ?? []);
}
