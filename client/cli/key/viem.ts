import { CliError, EXIT } from '../failures.ts'
import type { OpenKey } from './key-file.ts'

/** viem is loaded when something is signed; all other commands work without it. Throws when it is missing. */
export const loadAccounts = async (): Promise<typeof import('viem/accounts')> => {
  try {
    return await import('viem/accounts')
  } catch (error) {
    throw new CliError(
      EXIT.key,
      {
        title: 'The package viem is missing',
        code: 'viem_missing',
        detail: 'Signatures need the package viem, which is installed beside agent-work-client.',
        advice: ['npm install viem', 'npx --package agent-work-client --package viem agent-work login'],
      },
      { cause: error },
    )
  }
}

/** Account of viem for a key. */
export const loadAccount = async ({ privateKey }: OpenKey) => (await loadAccounts()).privateKeyToAccount(`0x${privateKey.toString('hex')}`)
