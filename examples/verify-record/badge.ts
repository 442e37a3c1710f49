// What an Agent Badge says, and what it does not prove.
import { wholeUnits } from './amounts.ts'
import { assert, instantOf, isObject, type Members, Refused, textOf } from './json.ts'
import { items, signature } from './receipt.ts'

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
  if (!/^\d+$/.test(raw) || typeof decimals !== 'number' || !(decimals >= 0 && decimals <= 30)) throw new Refused('an amount is malformed')
  return `${wholeUnits(BigInt(raw), decimals)} ${textOf(amount, 'asset')}`
}

/** Refuses a badge that does not follow its format, has an unmet check, or was signed before its work was complete. */
export const checkBadge = (badge: Members): void => {
  const service = badge.service as Members
  for (const [name, form] of Object.entries(SERVICE)) assert(form.test(textOf(service, name)), `its ${name} is malformed`)
  const unknown = Object.keys(service).filter((name) => !(name in SERVICE) && !OTHERS.includes(name))
  assert(unknown.length === 0, `its service has members that a badge does not have: ${unknown.join(', ')}`)
  for (const name of ['reward', 'claimStake']) amountText(service[name])
  items(badge.items, '/items')
  const unmet = (badge.items as Members[]).filter(({ result }) => result === 'unmet').map(({ criterion }) => criterion)
  assert(unmet.length === 0, `it approves work over unmet checks: ${unmet.join(', ')}`)
  signature(badge.signature, '/signature')
  const [signedAt, completedAt] = [textOf(badge.signature as Members, 'signedAt'), textOf(service, 'completedAt')]
  assert(instantOf(signedAt) >= instantOf(completedAt), 'it was signed before the work was complete: it is backdated')
}

/** Sentences that a checked badge states. */
export const readBadge = (badge: Members): string[] => {
  const service = badge.service as Members
  return [
    `Wallet ${service.worker} did the job ${service.jobId} (${service.category}); the session is ${service.sessionId}.`,
    `It was approved (${service.verifierMode}) and complete at ${service.completedAt}; the reward was ${amountText(service.reward)}.`,
    ...(badge.items as Members[]).map(({ criterion, result }) => `  ${criterion}: ${result}`),
    `The hash of the evidence is ${service.evidenceHash}.`,
  ]
}

export const BADGE_DOES_NOT_PROVE = [
  'that the wallet belongs to a certain person or program',
  'that the payment was mined: look for the job on chain by its chainJobId',
  'what the work was: the evidence is bound by its hash only',
]
