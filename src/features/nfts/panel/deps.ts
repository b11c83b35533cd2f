import type * as vscode from 'vscode';
import type { HttpDeps } from '../../../core/index.ts';
import type { AddressNames } from '../../../host/names/addressNames.ts';
import type { ChainDeps } from '../../../host/session/chains.ts';
import type { AllowedHosts } from './allowedHosts.ts';

export interface NftsDeps extends ChainDeps {
  readonly extensionUri: vscode.Uri;
  /** For metadata and pictures, which come from hosts of their own. */
  readonly http: HttpDeps;
  readonly allowedHosts: AllowedHosts;
  readonly log: vscode.LogOutputChannel;
  /** Loaded with the first use. */
  readonly names: () => Promise<AddressNames>;
}
