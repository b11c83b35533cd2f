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
      return l10n.t('must be an http or https URL without user name or password');
    case 'notTokens':
      return l10n.t(
        'must be "auto", "autoWithHovers", "autoWithoutHovers", "dataApi", "explorer" or "calls"',
      );
    case 'notBoolean':
      return l10n.t('must be true or false');
    case 'notCurrency':
      return l10n.t('must be one of the listed currency codes');
    case 'notGateway':
      return l10n.t('must be an https URL with a public host name');
    case 'notNetworkId':
      return l10n.t('must be a network ID');
    case 'unknownNetwork':
      return l10n.t('refers to an undefined network: {0}', error.id);
    case 'noEndpoint':
      return l10n.t('is in no config file of this workspace');
    case 'endpointUnapproved':
      return l10n.t('is not used yet');
    case 'endpointVariables':
      return l10n.t('needs {0} in .env or the environment', error.names.join(', '));
    case 'endpointTooLong':
      return formatTooLong(error.names, l10n);
    case 'network':
      return formatNetworkError(error.problem, l10n);
  }
}

/** @param names variables of a URL. */
export function formatTooLong(names: readonly string[], l10n: Localizer): string {
  return l10n.t(
    'is too long with {0}: shorten it. URLs and values have up to 2,048 characters, and a .env 256 KiB',
    names.join(', '),
  );
}

function formatNetworkError({ networkId, field, error }: NetworkValidationError, l10n: Localizer): string {
  const path = [networkId, field].filter(Boolean).join('.');
  const text = formatNetworkFieldError(error, field, l10n);
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
      return l10n.t(
        'is longer than {0} characters',
        field === 'symbol' ? maxTextChars.symbol : maxTextChars.name,
      );
    case 'notWhole':
      return l10n.t('must be a whole number');
    case 'notAboveZero':
      return l10n.t('must be greater than 0');
    case 'tooLarge':
      return l10n.t('is too large');
    case 'notHttp':
      return l10n.t('must be an http or https URL without user name or password');
    case 'keyElsewhere':
      return l10n.t('must have {0} only in its path or query', SECRET_PLACEHOLDER);
    case 'notRpcAuth':
      return l10n.t('must be "bearer", or "header:" followed by a header name');
    case 'notDecimals':
      return l10n.t('must be a whole number from 0 to 77');
    case 'missing':
      return l10n.t('is missing');
    case 'badId':
      return l10n.t('has an invalid ID: use letters, digits, dots, dashes and underscores');
    case 'notAnObject':
      return l10n.t('must be an object');
    case 'notNetworks':
      return l10n.t('must be an object with network IDs as keys');
  }
}
