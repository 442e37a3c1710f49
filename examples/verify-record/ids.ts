// Ids as the service derives them.
import { assert, type Members, textOf, toHex, utf8 } from './json.ts'
import { keccak256 } from './keccak.ts'

const keccakOfText = (text: string): string => toHex(keccak256(utf8(text)))

/** EIP-55 spelling of an address. */
const checksummed = (address: string): string => {
  const digits = address.slice(2).toLowerCase()
  const hash = keccakOfText(digits).slice(2)
  return `0x${[...digits].map((digit, place) => (Number.parseInt(hash[place] ?? '0', 16) > 7 ? digit.toUpperCase() : digit)).join('')}`
}

/** Id of the dispute of a session. */
export const disputeIdOf = (sessionId: string): string => `dispute-${keccakOfText(sessionId).slice(2, 14)}`

/** Refuses a chain id that is not that of the job, and the session of another job or worker. */
export const checkIds = (record: Members): void => {
  const [jobId, sessionId] = [textOf(record, 'jobId'), textOf(record, 'sessionId')]
  const expected = /^0x[0-9a-fA-F]{64}$/.test(jobId) ? jobId.toLowerCase() : keccakOfText(jobId)
  assert(record.chainJobId === expected, 'its chainJobId is not that of its jobId')
  const first = `${jobId}:${checksummed(textOf(record, 'worker'))}`
  // A second attempt of the same worker has its number.
  const attempt = sessionId.startsWith(first) ? sessionId.slice(first.length) : null
  assert(attempt !== null && /^(:([2-9]|[1-9][0-9]{1,8}))?$/.test(attempt), 'its session is of another job or worker')
}
