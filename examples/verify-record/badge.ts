// What an Agent Badge says, and what it does not prove.
import { isObject, type Members, Refused, textOf } from './json.ts'

const SERVICE: Readonly<Record<string, RegExp>> = {
  schemaVersion: /^v1$/,
  jobId: /./,
  chainJobId: /^0x[0-9a-fA-F]{64}$/,
  sessionId: /./,
  category: /./,
  verifierMode: /^(benchmark|deterministic|human_fallback)$/,
  evidenceHash: /^0x[0-9a-fA-F]{64}$/,
  completedAt: /^\d{4}-\d\d-\d\dT/,
  worker: /^0x[0-9a-fA-F]{40}$/,
  poster: /^0x[0-9a-fA-F]{40}$/,
  verifier: /^0x[0-9a-fA-F]{40}$/,
}
const OTHERS = ['level', 'reward', 'claimStake', 'metadataURI']

export const isBadge = (record: Members): boolean => isObject(record.service) && record.service.schemaVersion === 'v1'

const amountText = (amount: unknown): string => {
  if (!isObject(amount)) throw new Refused('an amount is no object')
  const { decimals } = amount
  const raw = textOf(amount, 'amount')
  if (!/^\d+$/.test(raw) || typeof decimals !== 'number' || decimals < 0 || decimals > 30) throw new Refused('an amount is malformed')
  const digits = raw.padStart(decimals + 1, '0')
  const [whole, part] = [digits.slice(0, digits.length - decimals), digits.slice(digits.length - decimals).replace(/0+$/, '')]
  return `${whole}${part === '' ? '' : `.${part}`} ${textOf(amount, 'asset')}`
}

/** Sentences that the signed badge states. Refuses a badge that does not follow its format, or was signed before its work was complete. */
export const readBadge = (badge: Members, signedAt: string): string[] => {
  const service = badge.service as Members
  for (const [name, form] of Object.entries(SERVICE)) if (!form.test(textOf(service, name))) throw new Refused(`its ${name} is malformed`)
  const unknown = Object.keys(service).filter((name) => !(name in SERVICE) && !OTHERS.includes(name))
  if (unknown.length > 0) throw new Refused(`its service has members that a badge does not have: ${unknown.join(', ')}`)
  if (Date.parse(signedAt) < Date.parse(textOf(service, 'completedAt'))) throw new Refused('it was signed before the work was complete')
  return [
    `Wallet ${service.worker} did the job ${service.jobId} (${service.category}); the session is ${service.sessionId}.`,
    `It was approved (${service.verifierMode}) and complete at ${service.completedAt}; the reward was ${amountText(service.reward)}.`,
    `The hash of the evidence is ${service.evidenceHash}.`,
  ]
}

export const BADGE_DOES_NOT_PROVE = [
  'that the wallet belongs to a certain person or program',
  'that the payment was mined: look for the job on chain by its chainJobId',
  'what the work was: the evidence is bound by its hash only',
]
