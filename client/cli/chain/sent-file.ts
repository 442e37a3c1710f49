import { rmSync } from 'node:fs'
import { isRecord, parseJson } from '../../src/json.ts'
import type { StateDirectory } from '../state/directory.ts'
import { readFileIfThere, replacePrivate } from '../state/files.ts'

export interface SentTransaction {
  hash: string
  /** The signed transaction. It is public once it is sent. */
  raw: string
  nonce: number
  /** What the command was asked to do, with its amount or job. */
  purpose: string
  step: string
  /** Whether the command is done when it is mined. */
  isLast: boolean
}

const isSent = (value: unknown): value is SentTransaction =>
  isRecord(value) &&
  ['hash', 'raw', 'purpose', 'step'].every((name) => typeof value[name] === 'string') &&
  typeof value.nonce === 'number' &&
  typeof value.isLast === 'boolean'

/** The file of the last transaction that a wallet sent on a chain. */
export const createSentFile = (state: StateDirectory, wallet: string, chainId: number) => {
  const path = state.transactionFile(wallet, chainId)
  return {
    path,
    read: (): SentTransaction | undefined => {
      const value = parseJson(readFileIfThere(path) ?? '')
      return isSent(value) ? value : undefined
    },
    write: (sent: SentTransaction): void => {
      state.prepare()
      replacePrivate(path, JSON.stringify(sent))
    },
    /** Forgets the transaction. A command that is repeated afterwards sends anew: call it when nothing is left but the report. */
    remove: (): void => rmSync(path, { force: true }),
  }
}
