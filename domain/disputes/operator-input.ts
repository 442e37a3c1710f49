// Whoever reaches the engine can give a word by hand: it is judged like that of a request.
import { RATIONALE } from '../../schemas/disputes/record.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { isStorable } from '../common/text.ts'

/** Longest name of who decides, in characters: a wallet, or whom an operator names in a signal. */
const NAME_LIMIT = 200

/** Refusal of a member of a word: 400 `invalid_request`. */
export const problem = (member: string, message: string): ServiceError =>
  new ServiceError('invalid_request', {
    detail: `${member} ${message}.`,
    errors: [{ pointer: `/${member}`, rule: 'verdict', message }],
  })

/** Why it is decided so, trimmed. */
export const rationaleOf = (text: unknown, shortest: number): string => {
  const rationale = typeof text === 'string' ? text.trim() : ''
  if (rationale.length < shortest || rationale.length > RATIONALE.longest || !isStorable(rationale))
    throw problem('rationale', `must have ${shortest} to ${RATIONALE.longest} characters`)
  return rationale
}

/** Who decides. */
export const nameOf = (by: unknown): string => {
  if (typeof by === 'string' && by.trim() !== '' && by.length <= NAME_LIMIT && isStorable(by)) return by
  throw problem('by', `must name who decides, in 1 to ${NAME_LIMIT} characters`)
}

/** Why an operator overturns. Its bounds are the request's; by hand it has to be a text that can be kept. */
export const noteOf = (note: unknown): string => {
  if (typeof note === 'string' && isStorable(note)) return note
  throw problem('note', 'must be a text')
}

/** Id of the request that decides; its sender chooses it. */
export const parseDecisionRequestId = (id: unknown): string | null => {
  if (id === undefined || id === null) return null
  if (typeof id === 'string' && isStorable(id)) return id
  throw problem('decisionRequestId', 'must be a text')
}

const DIGITS = /^[0-9]{1,78}$/
/** Base units, as digits; absent where the verdict says it all. */
export const amountOf = (digits: unknown): bigint | undefined => {
  if (digits === undefined || digits === null) return undefined
  if (typeof digits === 'string' && DIGITS.test(digits)) return BigInt(digits)
  throw problem('workerPayout', 'must be an integer in base units, as digits')
}
