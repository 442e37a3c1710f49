import { SCOPE_NAMES } from '../../schemas/identity/delegate-terms.ts'
import { parseUnitsExact } from '../common/money.ts'

/** Scopes that a client asks for, of those that there are; all without a known one. */
export const scopesAsked = (scope: unknown) => {
  const words = typeof scope === 'string' ? scope.split(' ') : []
  const asked = SCOPE_NAMES.filter((name) => words.includes(name))
  return asked.length === 0 ? [...SCOPE_NAMES] : asked
}

/** Members of the form of terms, as `DelegateTermsInput` takes them and still unchecked. Throws `invalid_request` for an amount that is none. */
export const termsOf = (form: URLSearchParams, name: string, decimals: number) => ({
  name,
  scopes: form.getAll('scope'),
  bondPerDayRaw: String(parseUnitsExact(form.get('bondPerDay') ?? '', decimals)),
  jobsPerDay: Number(form.get('jobsPerDay') || Number.NaN),
  tiers: form.getAll('tier'),
  days: Number(form.get('days') || Number.NaN),
})
