import * as vscode from 'vscode';
import { type Clock, createTimeSlices, getChecksumState } from '../../../core/index.ts';
import { isSolidity } from '../../../host/sources/contractSource.ts';
import type { DocumentProblem } from '../../../host/surface/problems.ts';
import { documentStart } from '../../../host/workspace/documentText.ts';
import { type ChecksumFault, findChecksumFaults } from './checksumFaults.ts';

/** Characters of a document that are searched. */
const SEARCHED = 1024 * 1024;

/** The wrong checksums of a document, in words. Rejects when `signal` aborts. */
export async function checksumProblems(
  document: vscode.TextDocument,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<readonly DocumentProblem[]> {
  const faults = await findChecksumFaults(documentStart(document, SEARCHED), {
    isSolidity: isSolidity(document),
    slices: createTimeSlices(clock),
    signal,
  });
  return faults.map((fault) => problem(document, fault));
}

function problem(
  document: vscode.TextDocument,
  { offset, written, right, isError }: ChecksumFault,
): DocumentProblem {
  const { l10n } = vscode;
  return {
    range: new vscode.Range(document.positionAt(offset), document.positionAt(offset + written.length)),
    message: isError
      ? getChecksumState(written) === 'wrong'
        ? l10n.t('Invalid EIP-55 checksum. Solidity requires {0}.', right)
        : l10n.t('Not checksummed. Solidity requires {0}.', right)
      : l10n.t('Invalid EIP-55 checksum: a character may be wrong.'),
    code: 'checksum',
    severity: isError ? 'error' : 'hint',
    mend: { title: l10n.t('Convert to EIP-55 checksum address'), replacement: right },
  };
}
