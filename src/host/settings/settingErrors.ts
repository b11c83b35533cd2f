import {
  maxTextChars,
  type NetworkFieldError,
  type NetworkValidationError,
  SECRET_PLACEHOLDER,
} from '../../core/index.ts';
import type { Localizer } from '../l10n.ts';
import type { SettingError } from './settingTable.ts';

/** Formats an error to follow the name of the setting: "chainside.poll.seconds must be a number". */
export function formatSettingError(error: SettingError, l10n: Localizer): string {
  switch (error.code) {
    case 'notNumber':
      return l10n.t('must be a number from {0} to {1}', error.minimum, error.maximum);
    case 'notKeyIn':
      return l10n.t('must be "auto", "header" or "query"');
    case 'notHoverTokens':
      return l10n.t('must be "ask", "show" or "hide"');
    case 'notConsent':
      return l10n.t('must be "ask", "allow" or "never"');
    case 'notService':
      return l10n.t('must be an http or https address without user name or password');
    case 'notTokensFrom':
      return l10n.t('must be "auto", "dataApi", "explorer" or "calls"');
    case 'notBoolean':
      return l10n.t('must be true or false');
    case 'notCurrency':
      return l10n.t('must be one of the currency codes offered');
    case 'notGateway':
      return l10n.t('must be an https address with a public name');
    case 'notNetworkId':
      return l10n.t('must be the id of a network');
    case 'unknownNetwork':
      return l10n.t('names a network that is not defined: {0}', error.id);
    case 'noEndpoint':
      return l10n.t('names an endpoint that no foundry.toml of this workspace has: {0}', error.id);
    case 'endpointUnasked':
      return l10n.t('names an endpoint of foundry.toml that is not checked yet: select {0} again', error.id);
    case 'endpointVariables':
      return l10n.t('needs environment variables that are not set: {0}', error.names.join(', '));
    case 'network':
      return formatNetworkError(error.problem, l10n);
  }
}

function formatNetworkError({ networkId, field, fault }: NetworkValidationError, l10n: Localizer): string {
  const path = [networkId, field].filter(Boolean).join('.');
  const text = formatNetworkFieldError(fault, field, l10n);
  return path === '' ? text : `(${path}) ${text}`;
}

/** Formats an error to follow the name of the field, or the value that was typed. */
export function formatNetworkFieldError(error: NetworkFieldError, field: string, l10n: Localizer): string {
  switch (error) {
    case 'notText':
      return l10n.t('must be text');
    case 'empty':
      return l10n.t('must not be empty');
    case 'tooLong':
      return l10n.t('is over {0} characters', field === 'symbol' ? maxTextChars.symbol : maxTextChars.name);
    case 'notWhole':
      return l10n.t('must be a whole number');
    case 'notAboveZero':
      return l10n.t('must be above 0');
    case 'tooLarge':
      return l10n.t('is too large');
    case 'notHttp':
      return l10n.t('must be an http or https address without user name or password');
    case 'keyElsewhere':
      return l10n.t('has {0} outside of its path and query', SECRET_PLACEHOLDER);
    case 'notRpcAuth':
      return l10n.t('must be "bearer" or "header:" and the name of a header');
    case 'notDecimals':
      return l10n.t('must be a whole number from 0 to 77');
    case 'missing':
      return l10n.t('is missing');
    case 'badId':
      return l10n.t('has an id that is not made of letters, digits, dot, dash and underscore');
    case 'notAnObject':
      return l10n.t('must be an object');
    case 'notNetworks':
      return l10n.t('must be an object of networks by id');
  }
}
