import { canonicalJson } from '../common/canonical-json.ts'

/** A member whose stored value is not the rebuilt one; both as JSON, `absent` without a value. */
export interface Difference {
  /** Session or wallet. */
  subject: string
  /** Record and path of the member, for example `session.status`. */
  member: string
  rebuilt: string
  stored: string
}

const toPlain = (value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)
const format = (value: unknown): string => (value === undefined ? 'absent' : canonicalJson(toPlain(value)))

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

type Place = Pick<Difference, 'subject' | 'member'>

/** Differences of two values, one for each innermost member. An array is compared whole. */
export const listDifferences = ({ subject, member }: Place, rebuilt: unknown, stored: unknown): Difference[] => {
  if (isObject(rebuilt) && isObject(stored)) {
    const names = [...new Set([...Object.keys(rebuilt), ...Object.keys(stored)])]
    return names.flatMap((name) => listDifferences({ subject, member: `${member}.${name}` }, rebuilt[name], stored[name]))
  }
  const texts = { rebuilt: format(rebuilt), stored: format(stored) }
  return texts.rebuilt === texts.stored ? [] : [{ subject, member, ...texts }]
}
