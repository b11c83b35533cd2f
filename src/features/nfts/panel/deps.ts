import type * as vscode from 'vscode';
import type { HttpDeps } from '../../../core/index.ts';
import type { AddressNames } from '../../../host/names/addressNames.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import type { AllowedHosts } from './allowedHosts.ts';

export interface NftsDeps {
  readonly extensionUri: vscode.Uri;
  readonly session: Pick<Session, 'connection' | 'network' | 'nfts' | 'onDidChange' | 'onDidChangeSources'>;
  readonly settings: Pick<SettingsService, 'current' | 'onDidChange' | 'saveIpfsGateway'>;
  /** For metadata and pictures, which come from hosts of their own. */
  readonly http: HttpDeps;
  readonly allowedHosts: AllowedHosts;
  readonly log: vscode.LogOutputChannel;
  /** Loaded with the first use. */
  readonly names: () => Promise<AddressNames>;
}
