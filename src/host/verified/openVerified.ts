import {
  type AbiItemText,
  type Address,
  AppError,
  createTimeSlices,
  declaredIn,
  isAppError,
  type Network,
  systemClock,
  toChecksumAddress,
  type VerifiedOrigin,
  type VerifiedSource,
} from '../../core/index.ts';
import { showPlace } from '../surface/showPlace.ts';
import { openSourceTexts } from '../surface/texts/sourceTexts.ts';
import type { VerifiedSources } from './verifiedSources.ts';

/** What is looked for in a source; its beginning where nothing is. */
interface Looked {
  readonly contract: string | undefined;
  readonly text: AbiItemText;
}

/** Opens sources that others have verified, to read. */
export interface VerifiedReader {
  /** The declaration of an item, or the contract that has it. @throws AppError of any network kind, `notFound`. */
  openDeclaration(origin: VerifiedOrigin, looked: Looked): Promise<void>;
  /**
   * The source of the contract at an address; false where nobody has verified it of those who tell.
   *
   * @throws AppError of any network kind, where who failed might have it.
   */
  openContract(address: Address, network: Network): Promise<boolean>;
  dispose(): void;
}

/** @param networkOf a network of a chain. */
export function createVerifiedReader(
  sources: Pick<VerifiedSources, 'contractsOf'>,
  networkOf: (chainId: number) => Network | undefined,
): VerifiedReader {
  const texts = openSourceTexts('chainside-source');

  async function open(
    source: VerifiedSource,
    { address, chainId }: Pick<VerifiedOrigin, 'address' | 'chainId'>,
    looked: Looked,
  ): Promise<boolean> {
    const found = await source.verifiedSources(address);
    const [first] = found?.files ?? [];
    if (!found || !first) return false;
    const place = await declaredIn(found.files, looked, { slices: createTimeSlices(systemClock) });
    const { host } = new URL(source.label.origin);
    const folder = `${chainId}/${toChecksumAddress(address)}`;
    const uriOf = (path: string) => texts.uriOf(host, `${folder}/${path}`);
    texts.add(found.files.map(({ path, text }) => ({ uri: uriOf(path), text })));
    const { path, line } = place ?? { path: first.path, line: 1 };
    await showPlace({ uri: uriOf(path), line: line - 1 });
    return true;
  }

  return {
    async openDeclaration(origin, looked) {
      const network = networkOf(origin.chainId);
      const asked = network ? await sources.contractsOf(network) : [];
      const source = asked.find(({ label }) => label.origin === origin.source.origin);
      if (!source || !(await open(source, origin, looked))) {
        throw new AppError('notFound', 'The source is not there any more.', { source: origin.source });
      }
    },
    async openContract(address, network) {
      const { chainId } = network;
      let failure: unknown;
      for (const source of await sources.contractsOf(network)) {
        try {
          const contract = await source.verifiedContract(address);
          if (!contract) continue;
          const looked = { contract: contract.name, text: '' };
          if (await open(source, { address, chainId }, looked)) return true;
        } catch (error) {
          // An explorer that has nothing of the kind has not failed.
          if (!isAppError(error, 'badResponse', 'notFound', 'notServed')) failure ??= error;
        }
      }
      if (failure) throw failure;
      return false;
    },
    dispose: () => texts.dispose(),
  };
}
