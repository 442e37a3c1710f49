// Checks any record, and says what it proves. Runs in Node and in browsers.
import { BADGE_DOES_NOT_PROVE, checkBadge, isBadge, readBadge } from './badge.ts'
import { checkDisputeFile, FILE_DOES_NOT_PROVE, isDisputeFile, readDisputeFile } from './dispute-file.ts'
import { assert, isObject, type Members, printable, Refused } from './json.ts'
import { checkReceipt, isReceipt, RECEIPT_DOES_NOT_PROVE, readReceipt } from './receipt.ts'
import { checkHeads, checkHistory, isTimeline, readHistory, type SavedHead } from './session-log.ts'
import type { Settlement } from './settlement-proof.ts'
import { checkSignature, type SigningKey } from './signature.ts'

/** What a check needs beside the record. */
export interface Evidence {
  /** Key set of the service, as `/.well-known/jwks.json` answers. */
  keySet: unknown
  /** Signed heads of the session log with their lists, oldest first; empty without any. */
  heads: readonly SavedHead[]
  /** Id of the chain that the reader expects; null for any. */
  chainId: number | null
}

/** A sound record. */
export interface Report {
  kind: string
  /** Key of the signature; null for a history, which heads vouch for. */
  key: SigningKey | null
  proves: string[]
  doesNotProve: readonly string[]
  /** Settlement that a node can be asked about; null without one. */
  settlement: Settlement | null
}

/** Chain id of an input; null for an empty one. */
export const readChainId = (text: string | undefined): number | null => {
  if (text === undefined || text.trim() === '') return null
  const id = Number(text)
  if (!Number.isSafeInteger(id) || id < 1) throw new Error(`${text} is no chain id`)
  return id
}

const assertChain = ({ chainId }: Settlement, expected: number | null): void => {
  if (expected !== null && chainId !== expected) throw new Refused(`it was settled on the chain ${chainId}, not ${expected}`)
}

const assertFaultless = (faults: readonly string[]): void => assert(faults.length === 0, faults.join('; '))

/** What only a node can tell. */
export const UNCHECKED = 'that the block is in the chain that others follow, and the hash of the transaction: ask a node'
/** What the reader has to compare. */
const CONTRACT = 'that the contract of the event is the escrow of the service: compare its address'

const checkTimeline = async (record: Members, { keySet, heads }: Evidence): Promise<Report> => {
  if (heads.length === 0) throw new Refused('a history needs signed heads')
  const history = record.log as Members[]
  assertFaultless([...(await checkHeads(heads, keySet)), ...checkHistory(history, heads)])
  const doesNotProve = ['that an entry was true when it was made', 'an entry that no head has yet']
  const kind = `history, with ${heads.length} signed heads`
  return { kind, key: null, proves: readHistory(history, heads), doesNotProve, settlement: null }
}

/** Checks a record. Throws `Refused` with the reason for one that is not sound. */
export const checkRecord = async (record: unknown, evidence: Evidence): Promise<Report> => {
  if (!isObject(record)) throw new Refused('it is no object')
  const { keySet, heads, chainId } = evidence
  if (isReceipt(record)) {
    const checked = await checkReceipt(record)
    assertChain(checked.proof, chainId)
    const key = await checkSignature(record, keySet)
    const doesNotProve = [...RECEIPT_DOES_NOT_PROVE, CONTRACT, UNCHECKED]
    return { kind: 'work receipt', key, proves: readReceipt(record, checked), doesNotProve, settlement: checked.proof }
  }
  if (isDisputeFile(record)) {
    assertFaultless(await checkHeads(heads, keySet))
    const checked = await checkDisputeFile(record, heads)
    assertChain(checked.proof, chainId)
    await checkSignature(record.receipt as Members, keySet)
    const key = await checkSignature(record, keySet)
    const doesNotProve = [...FILE_DOES_NOT_PROVE, CONTRACT, UNCHECKED]
    return { kind: 'dispute file', key, proves: readDisputeFile(record, checked), doesNotProve, settlement: checked.proof }
  }
  if (isBadge(record)) {
    if (chainId !== null) throw new Error('a badge names no chain: check its work receipt')
    checkBadge(record)
    const key = await checkSignature(record, keySet)
    return { kind: 'badge', key, proves: readBadge(record), doesNotProve: BADGE_DOES_NOT_PROVE, settlement: null }
  }
  if (isTimeline(record)) return checkTimeline(record, evidence)
  throw new Refused('it is no badge, work receipt, dispute file or timeline')
}

/** The report as lines of text. */
export const reportLines = ({ kind, key, proves, doesNotProve }: Report): string[] =>
  [
    key === null
      ? `Sound: a ${kind}.`
      : `Sound: a ${kind}, signed at ${key.signedAt} with the key ${key.kid}, valid from ${key.validFrom}${key.retiredAt === null ? '' : ` to ${key.retiredAt}`}.`,
    'It states:',
    ...proves.map((line) => `  ${line}`),
    'It does not prove:',
    ...doesNotProve.map((line) => `  ${line}`),
  ].map(printable)
