import * as vscode from 'vscode';
import {
  createIndexKnowledge,
  isAppError,
  type Network,
  parseQueryDefinition,
  type QueryDefinition,
  type QueryForm,
  resolveQuery,
} from '../../../core/index.ts';
import type { WorkspaceContracts } from '../../../host/contracts/workspaceContracts.ts';
import { type ChainDeps, networkOfChain } from '../../../host/session/chains.ts';
import { inputText } from '../../../host/words/inputTexts.ts';

interface QuestionDeps extends ChainDeps {
  readonly contracts: Pick<WorkspaceContracts, 'index'>;
}

/** Characters of a query: one with 5,000 addresses has fewer. */
const LONGEST_QUESTION = 256 * 1024;

/** Whom to ask what, or why nobody is asked. */
export type AskedQuestion =
  | { readonly network: Network; readonly form: QueryForm; readonly refusal?: undefined }
  | { readonly refusal: readonly string[] };

/**
 * Reads a question with what the files of the workspace tell of its chain: names that a user alone gives mean nothing to
 * others who run it. It goes to a network of its own chain and to no other; without a chain, to the active one.
 */
export async function askedQuestion(text: string, deps: QuestionDeps): Promise<AskedQuestion> {
  const { session, contracts } = deps;
  const { l10n } = vscode;
  const question = readQuestion(text);
  if ('refusal' in question) return question;
  const { chainId } = question;
  if (chainId !== undefined && !networkOfChain(deps, chainId)) {
    const id = String(chainId);
    return {
      refusal: [
        l10n.t('No network with the chain id {0} is set up.', id),
        l10n.t('Run the command Chainside: Add Network…, then this again. No other chain is asked.'),
      ],
    };
  }
  if (!(await session.choose())) return { refusal: [l10n.t('No network is chosen.')] };
  const network = chainId === undefined ? session.network : networkOfChain(deps, chainId);
  if (!network) return { refusal: [l10n.t('No network is chosen.')] };
  const resolved = resolveQuery(question, createIndexKnowledge(await contracts.index(), network.chainId));
  if (!resolved.problems) return { network, form: resolved.form };
  return {
    refusal: resolved.problems.map((problem) => {
      const words = inputText(problem, l10n);
      const { field } = problem.details;
      return field === undefined ? words : `${field}: ${words}`;
    }),
  };
}

function readQuestion(text: string): QueryDefinition | { readonly refusal: readonly string[] } {
  const { l10n } = vscode;
  if (text.length > LONGEST_QUESTION) return { refusal: [l10n.t('This is longer than a query.')] };
  try {
    return parseQueryDefinition(JSON.parse(text));
  } catch (error) {
    if (isAppError(error)) return { refusal: [inputText(error, l10n)] };
    const cause = error instanceof Error ? error.message : String(error);
    return { refusal: [l10n.t('This is not JSON. {0}', cause)] };
  }
}
