import { getAddress } from 'viem/utils'
import { type Hex, keccakOfText } from './hashes.ts'

const BYTES32 = /^0x[0-9a-fA-F]{64}$/
const SESSION_ID = /^([A-Za-z0-9][A-Za-z0-9._-]*):(0x[0-9a-fA-F]{40})(?::([1-9][0-9]{0,8}))?$/

/** On-chain id of a job: the id itself if it already is bytes32, else keccak256 of its UTF-8 bytes. Source: contracts, "Encodings". */
export const chainJobId = (jobId: string): Hex => (BYTES32.test(jobId) ? (jobId.toLowerCase() as Hex) : keccakOfText(jobId))

/** Checksummed spelling of an address; null unless it is one case throughout or carries a valid checksum. */
export function checksumAddress(address: string): Hex | null {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return null
  const digits = address.slice(2)
  const checksummed = getAddress(address.toLowerCase())
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return oneCase || checksummed === address ? checksummed : null
}

function checksummedWallet(wallet: string): Hex {
  const checksummed = checksumAddress(wallet)
  if (checksummed === null) throw new TypeError(`Not an address: ${wallet}`)
  return checksummed
}

/** `<jobId>:<checksummed wallet>`; from the wallet's second attempt on the same job `:<attempt>` follows. */
export function sessionId(jobId: string, wallet: string, attempt = 1): string {
  const first = `${jobId}:${checksummedWallet(wallet)}`
  return attempt > 1 ? `${first}:${attempt}` : first
}

export interface SessionIdParts {
  jobId: string
  /** Lower case. */
  wallet: Hex
  /** 1 for the wallet's first attempt. */
  attempt: number
}

/** Parts of a session id in any case of the address; null when it is none (a suffix `:1` is none: the first attempt has no suffix). */
export function parseSessionId(text: string): SessionIdParts | null {
  const [, jobId, address, suffix] = SESSION_ID.exec(text) ?? []
  if (jobId === undefined || address === undefined || suffix === '1') return null
  const wallet = checksumAddress(address)
  return wallet === null ? null : { jobId, wallet: wallet.toLowerCase() as Hex, attempt: suffix === undefined ? 1 : Number(suffix) }
}

/** The one stored spelling of an incoming session id; null when it is none. */
export function normaliseSessionId(text: string): string | null {
  const parts = parseSessionId(text)
  return parts === null ? null : sessionId(parts.jobId, parts.wallet, parts.attempt)
}

/** `dispute-` and the first 12 hex digits of keccak256 of the session id. */
export const disputeId = (session: string): string => `dispute-${keccakOfText(session).slice(2, 14)}`

/** Verifier mode or category as the escrow stores it. */
export const labelHash = (label: string): Hex => keccakOfText(label.toLowerCase())

/** Reason code of a verdict as the escrow stores it (codes of disputes are ASCII bytes32 instead). */
export const reasonCodeHash = (code: string): Hex => keccakOfText(code)
