import type { NetworkValidationError } from '../../core/index.ts';
import type { SettingId } from '../../manifest.ts';

/** Why a setting is not used as it was written. */
export type SettingFault =
  | { readonly code: 'notNumber'; readonly minimum: number; readonly maximum: number }
  | {
      readonly code:
        | 'notKeyIn'
        | 'notHoverTokens'
        | 'notTokensFrom'
        | 'notBoolean'
        | 'notConsent'
        | 'notService'
        | 'notCurrency'
        | 'notGateway'
        | 'notNetworkId';
    }
  /** The network that is chosen is not defined. */
  | { readonly code: 'unknownNetwork'; readonly id: string }
  /** The endpoint of a `foundry.toml` is not there, was never asked, or has no usable URL without its variables. */
  | { readonly code: 'noEndpoint' | 'endpointUnasked'; readonly id: string }
  | { readonly code: 'endpointVariables'; readonly names: readonly string[] }
  /** A network, or a field of one, cannot be used. */
  | { readonly code: 'network'; readonly problem: NetworkValidationError };

export interface SettingProblem {
  readonly setting: SettingId;
  readonly fault: SettingFault;
}
