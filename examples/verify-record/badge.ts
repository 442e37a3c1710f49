// What an Agent Badge says, and what it does not prove.
import { wholeUnits } from './amounts.ts'
import { assert, instantOf, type Members, textOf } from './json.ts'
import * as is from './shape.ts'
import { checkIds, checkItems, checkResolution, checkSigners, items, outcomeOf, resolution, signature, signers } from './verdict.ts'

const amount = is.closed({ asset: is.text(/./), amount: is.raw, decimals: is.integer(0, 30) })
const wallet = is.text(/^0x[0-9a-f]{40}$/)
const service = is.closed(
  {
    schemaVersion: is.oneOf('v1'),
    jobId: is.text(/./),
    chainJobId: is.bytes32,
    sessionId: is.text(/./),
    category: is.text(/./),
    level: is.integer(1, 255),
    verifierMode: is.oneOf('benchmark', 'deterministic', 'human_fallback'),
    reward: amount,
    claimStake: amount,
    evidenceHash: is.bytes32,
    completedAt: is.instant,
    worker: is.party,
    poster: wallet,
    verifier: wallet,
  },
  { metadataURI: is.address },
)

/** Shape of Agent Badge v1: open at its root, closed in `service`. */
const badgeShape = is.open(
  {
    name: is.text(/^.{0,140}$/s),
    description: is.text(/^.{0,1024}$/s),
    external_url: is.address,
    attributes: is.list(is.closed({ trait_type: is.anyText, value: is.anything })),
    service,
    resolution,
    items,
    signature,
  },
  { image: is.address, signers, lineage: is.object },
)

const amountText = (stated: unknown): string => {
  const { asset, amount: raw, decimals } = stated as { asset: string; amount: string; decimals: number }
  return `${wholeUnits(BigInt(raw), decimals)} ${asset}`
}

const known = (address: unknown): unknown => (address === `0x${'0'.repeat(40)}` ? null : address)

/** What the root says of the service object. */
const checkRoot = (badge: Members, { sessionId, metadataURI, category, level, verifierMode }: Members): void => {
  const { external_url: url, name, attributes } = badge
  const title = ` Agent Badge — ${category} level ${level}`
  assert(String(name).length === 140 || String(name).endsWith(title), 'its name is of another category or level')
  const traits = new Map<unknown, unknown>(Object.entries({ Category: category, Level: level, Verifier: verifierMode }))
  const differs = (attributes as Members[]).find(({ trait_type: trait, value }) => traits.has(trait) && traits.get(trait) !== value)
  assert(differs === undefined, `its attribute ${differs?.trait_type} is not that of its service`)
  assert(String(url).endsWith(`/badges/${encodeURIComponent(String(sessionId))}`), 'its address is that of another session')
  assert(metadataURI === undefined || metadataURI === url, 'it has two addresses')
}

/** Refuses a badge that does not follow its format or contradicts itself: ids, checks, decision, participants, dates. */
export const checkBadge = (badge: Members): void => {
  badgeShape(badge, '')
  const [stated, decided] = [badge.service as Members, badge.resolution as Members]
  const { worker, poster, verifier, verifierMode } = stated
  checkIds(stated)
  checkRoot(badge, stated)
  const [paid, locked] = [stated.reward as Members, stated.claimStake as Members]
  assert(paid.asset === locked.asset && paid.decimals === locked.decimals, 'its amounts are of two assets')
  const [signedAt, completedAt] = [textOf(badge.signature as Members, 'signedAt'), textOf(stated, 'completedAt')]
  assert(instantOf(signedAt) >= instantOf(completedAt), 'it was signed before the work was complete: it is backdated')
  checkItems('approved', badge.items as Members[])
  checkResolution(decided, signedAt)
  assert(outcomeOf(decided.verdict) === 'approved', 'its work was not approved')
  assert(decided.kind === 'verifier' || verifierMode === 'human_fallback', 'people decided, and its verifierMode says otherwise')
  const parties = { poster: known(poster), worker, verifier: known(verifier), submittedAt: null, decidedAt: completedAt, signedAt }
  if (badge.signers !== undefined) checkSigners(badge.signers as Members[], parties)
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
