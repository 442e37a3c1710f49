// An operator can send any text as a Temporal signal, so the service checks it like a request.
import { RATIONALE } from '../../schemas/disputes/record.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { isStorable } from '../common/text.ts'

/** Longest name of the decider in characters: a wallet, or a name from an operator's signal. */
const NAME_LIMIT = 200

/** 400 `invalid_request` for one member of a decision. */
export const memberError = (member: string, message: string): ServiceError =>
  new ServiceError('invalid_request', {
    detail: `${member} ${message}.`,
    errors: [{ pointer: `/${member}`, rule: 'verdict', message }],
  })

/** Trimmed rationale. Throws 400 `invalid_request` for any other length or text that PostgreSQL cannot store. */
export const parseRationale = (text: unknown, shortest: number): string => {
  const rationale = typeof text === 'string' ? text.trim() : ''
  if (rationale.length < shortest || rationale.length > RATIONALE.longest || !isStorable(rationale))
    throw memberError('rationale', `must have ${shortest} to ${RATIONALE.longest} characters`)
  return rationale
}

/** Name of the decider. Throws 400 `invalid_request` when it is empty, too long or not storable. */
export const parseDecider = (by: unknown): string => {
  if (typeof by === 'string' && by.trim() !== '' && by.length <= NAME_LIMIT && isStorable(by)) return by
  throw memberError('by', `must name who decides, in 1 to ${NAME_LIMIT} characters`)
}

/** Note of an operator who overturns a rejection. Throws 400 `invalid_request` unless it is storable text. */
export const parseNote = (note: unknown): string => {
  if (typeof note === 'string' && isStorable(note)) return note
  throw memberError('note', 'must be a text')
}

/** Request id that the sender chose; null without one. Throws 400 `invalid_request` unless it is storable text. */
export const parseDecisionRequestId = (id: unknown): string | null => {
  if (id === undefined || id === null) return null
  if (typeof id === 'string' && isStorable(id)) return id
  throw memberError('decisionRequestId', 'must be a text')
}

const DIGITS = /^[0-9]{1,78}$/
/** Payout in base units; undefined without one. Throws 400 `invalid_request` unless it is digits. */
export const parsePayoutRaw = (digits: unknown): bigint | undefined => {
  if (digits === undefined || digits === null) return undefined
  if (typeof digits === 'string' && DIGITS.test(digits)) return BigInt(digits)
  throw memberError('workerPayout', 'must be an integer in base units, as digits')
}
