import type * as vscode from 'vscode';

type Document = Pick<vscode.TextDocument, 'languageId' | 'uri'>;

/** Whether a document is Solidity, also where no extension knows the language. */
export function isSolidity({ languageId, uri }: Document): boolean {
  return languageId === 'solidity' || uri.path.endsWith('.sol');
}

/** Whether a document is Solidity or Vyper. */
export function isContractSource(document: Document): boolean {
  const { languageId, uri } = document;
  return isSolidity(document) || languageId === 'vyper' || /\.vyi?$/.test(uri.path);
}
