import * as vscode from 'vscode';
import {
  type EndpointFacts,
  isAppError,
  parseEndpointUrl,
  probeEndpoint,
  type RpcAuth,
  validateNetworkField,
} from '../../core/index.ts';
import { errorText } from '../../host/log.ts';
import { openInput } from '../../host/surface/questions.ts';
import { describeError } from '../../host/words/describeError.ts';
import type { NetworkDeps } from './deps.ts';

/** The URL of an endpoint, with what it says of itself; without that where the user goes on though it fails. */
export interface UrlAnswer {
  readonly url: string;
  readonly facts: EndpointFacts | undefined;
}

interface UrlQuestion {
  readonly title: string;
  /** What stands in the field at first. */
  readonly value: string;
  /** Where the secret of the endpoint goes, if it takes one that is not in its URL. */
  readonly rpcAuth?: RpcAuth | undefined;
  /** What is typed, each time that it changes. */
  readonly onType?: (text: string) => void;
  /** Whether there is something to go back to. */
  readonly hasBack?: boolean;
}

/**
 * A field for the URL of an endpoint that stays open until something answers there, the user goes on all the same, or
 * leaves. Enter asks; what is wrong stands at the field. `back` where the user goes back.
 */
export function askForUrl(
  { session, log }: NetworkDeps,
  { title, value, rpcAuth, onType, hasBack = false }: UrlQuestion,
): Promise<UrlAnswer | 'back' | undefined> {
  const { l10n } = vscode;
  const goOn = { icon: 'arrow-right', words: l10n.t('Continue Without a Test') };
  const prompt = l10n.t('URL of a node, an explorer or an SQD Portal. Enter tests it');
  const { Error: Wrong, Warning } = vscode.InputBoxValidationSeverity;
  return new Promise((resolve) => {
    const finish = (answer: UrlAnswer | 'back') => {
      resolve(answer);
      box.hide();
    };
    const placeHolder = 'localhost:8545, rpc.example.org, https://explorer.example/api/eth-rpc';
    const { box, showProblem } = openInput(title, prompt, {
      value,
      placeHolder,
      ...(hasBack && { onBack: () => finish('back') }),
    });
    box.ignoreFocusOut = true;
    const closed = new AbortController();
    let untested: string | undefined;

    async function test(url: string): Promise<void> {
      box.busy = true;
      box.enabled = false;
      showProblem();
      try {
        const http = session.httpFor({ rpcUrl: url, rpcAuth });
        finish({ url, facts: await probeEndpoint(http, url, { signal: closed.signal }) });
      } catch (error) {
        if (closed.signal.aborted) return;
        // Its key is asked for where the rest of the network is described.
        if (isAppError(error, 'needsKey')) return finish({ url, facts: undefined });
        log.warn(errorText(error));
        box.busy = false;
        box.enabled = true;
        untested = url;
        const network = { id: '', name: '', chainId: 0, symbol: '', decimals: 0, rpcUrl: url };
        const { message } = describeError(error, { service: 'endpoint', network });
        const words = l10n.t('{0}. Press Enter to try again', message);
        showProblem({ message: words, severity: Warning }, goOn);
      }
    }

    box.onDidChangeValue((text) => {
      showProblem();
      onType?.(text);
    });
    box.onDidAccept(() => {
      const url = parseEndpointUrl(box.value);
      if (url !== undefined && validateNetworkField('rpcUrl', url) === undefined) return test(url);
      const message = l10n.t('Not an http or https address without user name and password.');
      showProblem({ message, severity: Wrong });
    });
    box.onDidTriggerButton((button) => {
      if (button.tooltip === goOn.words && untested !== undefined)
        finish({ url: untested, facts: undefined });
    });
    box.onDidHide(() => {
      closed.abort();
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}
