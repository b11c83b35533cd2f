import * as vscode from 'vscode';
import type { ProxyType } from '../../../core/index.ts';

/** How a proxy knows what to run, by the standard or the getter that its readers know it by. */
export function proxyKindWords(type: ProxyType): string {
  const { l10n } = vscode;
  switch (type) {
    case 'eip1167':
      return 'EIP-1167';
    case 'eip7702':
      return 'EIP-7702';
    case 'clone_with_immutable_arguments':
      return l10n.t('clone with immutable arguments');
    case 'minimal_proxy':
      return l10n.t('minimal proxy');
    case 'erc7760':
      return 'ERC-7760';
    case 'master_copy':
      return 'Safe, masterCopy()';
    case 'resolved_delegate_proxy':
      return l10n.t('resolved delegate proxy');
    case 'eip1967':
      return 'EIP-1967';
    case 'eip1967_beacon':
      return l10n.t('EIP-1967 beacon');
    case 'eip1967_oz':
      return l10n.t('OpenZeppelin, before EIP-1967');
    case 'eip1822':
      return 'EIP-1822';
    case 'eip2535':
      return l10n.t('EIP-2535 diamond');
    case 'basic_implementation':
      return 'implementation()';
    case 'basic_get_implementation':
      return 'getImplementation()';
    case 'comptroller':
      return 'comptrollerImplementation()';
    case 'sequence_wallet':
      return l10n.t('Sequence wallet');
  }
}
