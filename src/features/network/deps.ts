import type * as vscode from 'vscode';
import type { HttpDeps } from '../../core/index.ts';
import type { EndpointSecrets } from '../../host/session/endpointSecrets.ts';
import type { KeyStore } from '../../host/session/secrets.ts';
import type { Session } from '../../host/session/session.ts';
import type { SettingsService } from '../../host/settings/settings.ts';

export interface NetworkDeps {
  readonly session: Session;
  readonly settings: SettingsService;
  readonly keys: KeyStore;
  readonly secrets: EndpointSecrets;
  readonly http: HttpDeps;
  readonly log: vscode.LogOutputChannel;
}
