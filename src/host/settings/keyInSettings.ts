import { extractKey, type Network } from '../../core/index.ts';
import { FOUNDRY } from './settingTable.ts';

/** Whether the URL of a network in the settings seems to hold a key, which can be kept elsewhere. */
export function holdsKey({ id, rpcUrl }: Network): boolean {
  return !id.startsWith(FOUNDRY) && extractKey(rpcUrl) !== undefined;
}
