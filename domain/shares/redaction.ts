type Facts = Readonly<Record<string, unknown>>

/** Stable words, ids, hashes, instants and amounts; no sentence, no e-mail address. */
const CODE = /^[\w.:#/+-]{1,300}$/
/** Beginning of a signed token, whatever it says. */
const SIGNED_TOKEN = /^eyJ/
/** Groups of amounts stand two levels deep. */
const MAX_DEPTH = 2

const isShown = (value: unknown, depth = MAX_DEPTH): boolean => {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return true
  if (typeof value === 'string') return CODE.test(value) && !SIGNED_TOKEN.test(value)
  if (typeof value !== 'object' || Array.isArray(value) || depth === 0) return false
  return Object.values(value).every((member) => isShown(member, depth - 1))
}

/** The named members that hold codes, or groups of nothing but codes; every other member is left out. */
export const pickCodes = (facts: Facts, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.filter((name) => isShown(facts[name])).map((name) => [name, facts[name]]))
