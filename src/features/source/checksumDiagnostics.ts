import * as vscode from 'vscode';
import { type Clock, createTimeSlices, getChecksumState } from '../../core/index.ts';
import { getDocumentStart, isSolidity } from '../../host/places/documents.ts';
import type { DocumentDiagnostic } from '../../host/ui/diagnostics.ts';
import { type ChecksumError, findChecksumErrors } from './checksums.ts';

const MAX_SEARCHED_CHARS = 1024 * 1024;

/** Rejects when `signal` aborts. */
export async function findChecksumDiagnostics(
  document: vscode.TextDocument,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<readonly DocumentDiagnostic[]> {
  const errors = await findChecksumErrors(getDocumentStart(document, MAX_SEARCHED_CHARS), {
    isSolidity: isSolidity(document),
    slices: createTimeSlices(clock),
    signal,
  });
  return errors.map((error) => toDiagnostic(document, error));
}

function toDiagnostic(
  document: vscode.TextDocument,
  { offset, written, expected, isError }: ChecksumError,
): DocumentDiagnostic {
  const { l10n } = vscode;
  return {
    range: new vscode.Range(document.positionAt(offset), document.positionAt(offset + written.length)),
    message: isError
      ? getChecksumState(written) === 'wrong'
        ? l10n.t('Invalid EIP-55 checksum. Solidity requires {0}.', expected)
        : l10n.t('Not checksummed. Solidity requires {0}.', expected)
      : l10n.t('Invalid EIP-55 checksum: a character may be wrong.'),
    code: 'checksum',
    severity: isError ? 'error' : 'hint',
    fix: { title: l10n.t('Convert to EIP-55 checksum address'), replacement: expected },
  };
}
