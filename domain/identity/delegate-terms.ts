import { TIERS } from '../../schemas/common/tiers.ts'
import type { Capability } from '../../schemas/identity/authorisation.ts'
import {
  DELEGATE_LIMITS,
  DELEGATE_SCOPES,
  type DelegateClient,
  type DelegateScope,
  type DelegateTerms,
  SCOPE_NAMES,
} from '../../schemas/identity/delegate-terms.ts'
import { iso } from '../common/instants.ts'
import { type Asset, amountText } from '../common/money.ts'

/** A name as a message of EIP-4361 can hold it: letters, digits, space, dot, dash and underscore. `an agent` if nothing is left. */
export const cleanName = (name: string): string =>
  name
    .normalize('NFKC')
    .replaceAll(/[^A-Za-z0-9 ._-]+/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
    .slice(0, DELEGATE_LIMITS.nameLength)
    .trim() || 'an agent'

/** Terms in one order, whatever the order of the request. */
export const orderedTerms = ({ scopes, tiers, ...terms }: DelegateTerms): DelegateTerms => ({
  ...terms,
  scopes: SCOPE_NAMES.filter((scope) => scopes.includes(scope)),
  tiers: TIERS.filter((tier) => tiers.includes(tier)),
})

/** Capabilities of a delegate, sorted. */
export const delegateCapabilities = ({ scopes }: Pick<DelegateTerms, 'scopes'>): Capability[] =>
  scopes.flatMap((scope): readonly Capability[] => DELEGATE_SCOPES[scope]).sort()

/** Scopes that give a delegate some capabilities; empty if one of them is in no scope. */
export const scopesOf = (capabilities: readonly Capability[]): DelegateScope[] => {
  const found = capabilities.map((capability) =>
    SCOPE_NAMES.find((scope) => delegateCapabilities({ scopes: [scope] }).includes(capability)),
  )
  return found.includes(undefined) ? [] : SCOPE_NAMES.filter((scope) => found.includes(scope))
}

/** Scopes as the sentence says them: neither budget nor tiers bound submissions, which reach sessions that the wallet claimed itself. */
const SCOPE_WORDS: Record<DelegateScope, string> = { read: 'read', claim: 'claim', submit: 'submit in all my sessions' }

/** The sentence that a wallet signs for a delegate: who may do what, how much of it in a day, and until when (epoch ms). */
export const delegateStatement = (client: DelegateClient, terms: DelegateTerms, endsAt: number, asset: Asset): string => {
  const { scopes, tiers, jobsPerDay, bondPerDayRaw } = orderedTerms(terms)
  // In quotes, which no name holds: what a client calls itself cannot pass for a part of the sentence.
  const who = `'${cleanName(client.name)}'${client.host === null ? '' : ` at ${client.host}`}`
  const limits = [
    `bonds up to ${amountText(BigInt(bondPerDayRaw), asset)} a day`,
    `${jobsPerDay} ${jobsPerDay === 1 ? 'job' : 'jobs'} a day`,
    `tiers ${tiers.join(', ')}`,
  ]
  const granted = scopes.map((scope) => SCOPE_WORDS[scope]).join(', ')
  return `Let ${who} act for me: ${granted}; ${scopes.includes('claim') ? `${limits.join('; ')}; ` : ''}until ${iso(endsAt)}.`
}
