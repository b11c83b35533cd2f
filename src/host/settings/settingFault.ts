import type { NetworkProblem } from '../../core/index.ts';
import type { SettingId } from '../../manifest.ts';

/** Why a setting is not used as it was written. */
export type SettingFault =
  | { readonly code: 'notNumber'; readonly minimum: number; readonly maximum: number }
  | { readonly code: 'notKeyIn' | 'notBoolean' | 'notCurrency' | 'notGateway' | 'notNetworkId' }
  /** The network that is chosen is not defined. */
  | { readonly code: 'unknownNetwork'; readonly id: string }
  /** A network, or a field of one, cannot be used. */
  | { readonly code: 'network'; readonly problem: NetworkProblem };

export interface SettingProblem {
  readonly setting: SettingId;
  readonly fault: SettingFault;
}
