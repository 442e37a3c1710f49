// Records that contradict themselves, each signed again with the key of the service.
import type { End } from '../../domain/builders/receipt.ts'
import type { Document } from './records.ts'

const OTHER = `0x${'6'.repeat(40)}`
const HASH = `0x${'7'.repeat(64)}`
const FUTURE = '2999-01-01T00:00:00.000Z'
const EPOCH = '1970-01-01T00:00:00.000Z'
/** Before the jobs of these records were listed. */
const EARLY = '2026-02-01T00:00:00.000Z'
const SCORED = { criterion: 'score_reached', result: 'met', evidence: '/score' }
const REVIEWED = { criterion: 'reviewer_accepts', result: 'met', evidence: '/detail' }

type Change = (copy: Document) => unknown
/** Makers of forgeries of each kind, and true parts to forge with. */
interface Makers<Forgery> {
  badge: (change: Change) => Promise<Forgery>
  disputed: (kind: 'arbitration' | 'timeout', change: Change) => Promise<Forgery>
  receipt: (end: End, change: Change) => Promise<Forgery>
  file: (end: End, change: Change) => Promise<Forgery>
  approved: () => Document
  badgeItems: () => Document
}
type Rows<Forgery> = [string, () => Promise<Forgery>][]

const pickJudged = ({ reasonCode, items }: Document) => ({ reasonCode, items })
const setRaw = (amount: Document, raw: string, display: string) => Object.assign(amount, { raw, display })
/** A member of both definitions. */
const inTerms = (f: Document, change: (definition: Document) => unknown) => {
  change(f.terms.specDefinition)
  change(f.terms.definition)
}

export const contradictions = <Forgery>({ badge, disputed, receipt, file, approved, badgeItems }: Makers<Forgery>) => {
  const badges: Rows<Forgery> = [
    ['a check twice', () => badge((b) => b.items.push(b.items[0]))],
    ['a check less', () => badge((b) => b.items.pop())],
    ['its checks in another order', () => badge((b) => b.items.reverse())],
    ['a check of another verifier beside its own', () => badge((b) => b.items.push(SCORED))],
    [
      'the checks of another verifier',
      () => badge((b) => (b.items = [{ criterion: 'answer_expected', result: 'met', evidence: '/verificationInput' }])),
    ],
    ['the check of a reviewer for a machine', () => badge((b) => (b.items = [REVIEWED]))],
    [
      'no check that is met',
      () => badge((b) => (b.items = b.items.map(({ criterion }: Document) => ({ criterion, result: 'not_applicable', evidence: null })))),
    ],
    ['the evidence of another check', () => badge((b) => (b.items[1].evidence = '/score'))],
    ['the mode of another machine', () => badge((b) => (b.service.verifierMode = b.attributes[2].value = 'deterministic'))],
    ['no description', () => badge((b) => (b.description = ''))],
    ['the description of a review', () => badge((b) => (b.description = 'Work on "Retry policy for a client": a reviewer approved it.'))],
    ['praise in its description', () => badge((b) => (b.description += ' It is the best work that we have seen.'))],
    [
      'the description of a dispute',
      () => badge((b) => (b.description = b.description.replace(/:.*/, ': the arbitrator decided for the worker.'))),
    ],
    [
      'a verdict before it in its description alone',
      () => badge((b) => (b.description += ' The verdict before was rejected (BENCHMARK_THRESHOLD_MISSED).')),
    ],
    ['the name of another service', () => badge((b) => (b.name = b.name.replace('Agent Work Service', 'Another Service')))],
    ['a name before its own', () => badge((b) => (b.name = `Gold ${b.name}`))],
    ['a name of 140 letters', () => badge((b) => (b.name = 'x'.repeat(140)))],
    ['an attribute more', () => badge((b) => b.attributes.push({ trait_type: 'Rank', value: 'gold' }))],
    ['no attributes', () => badge((b) => (b.attributes = []))],
    ['an attribute twice', () => badge((b) => b.attributes.push(b.attributes[1]))],
    ['a listing in 1970', () => badge((b) => (b.signers[0].at = EPOCH))],
    ['a submission in 1970', () => badge((b) => (b.signers[1].at = EPOCH))],
    ['a submission before its listing', () => badge((b) => (b.signers[1].at = EARLY))],
    [
      'every instant in 1970',
      () =>
        badge((b) => {
          b.service.completedAt = EPOCH
          for (const signer of b.signers) signer.at = EPOCH
        }),
    ],
    ['half where a time-out gave more', () => disputed('timeout', (b) => (b.resolution.workerShareBps = 6_000))],
    [
      'a time-out that gave more, and says so',
      () =>
        disputed('timeout', (b) => {
          b.resolution.workerShareBps = 6_000
          b.description = b.description.replace('50 %', '60 %')
        }),
    ],
    [
      'a time-out that gave everything',
      () =>
        disputed('timeout', (b) => {
          b.resolution.workerShareBps = 10_000
          b.description = b.description.replace('50 %', '100 %')
        }),
    ],
    [
      'a time-out that gave less than half',
      () =>
        disputed('timeout', (b) => {
          b.resolution.workerShareBps = 4_000
          b.description = b.description.replace('50 %', '40 %')
        }),
    ],
    ['a time-out that judged', () => disputed('timeout', (b) => Object.assign(b.items[0], { result: 'met', evidence: '/verdict' }))],
    [
      'an arbitrator that did not judge',
      () => disputed('arbitration', (b) => Object.assign(b.items[0], { result: 'not_applicable', evidence: null })),
    ],
    ['a decision of an arbitrator twice', () => disputed('arbitration', (b) => b.items.push(b.items[0]))],
    ['the checks of a machine for an arbitrator', () => disputed('arbitration', (b) => (b.items = badgeItems()))],
    ['another share than its description', () => disputed('arbitration', (b) => (b.description = b.description.replace('40 %', '90 %')))],
    [
      'a description without the verdict before',
      () => disputed('arbitration', (b) => (b.description = b.description.replace(/ The verdict before.*/, ''))),
    ],
    [
      'a description with another verdict before',
      () => disputed('arbitration', (b) => (b.description = b.description.replace('rejected (', 'disputed ('))),
    ],
    ['a replaced verdict before the work', () => disputed('arbitration', (b) => (b.resolution.replacedVerdict.resolvedAt = EARLY))],
    ['a replaced verdict with a check twice', () => disputed('arbitration', (b) => b.resolution.replacedVerdict.items.push(SCORED))],
    [
      'a replaced verdict for a reason of its own',
      () =>
        disputed('arbitration', (b) => {
          b.resolution.replacedVerdict.reasonCode = 'OTHER'
          b.description = b.description.replace('BENCHMARK_THRESHOLD_MISSED', 'OTHER')
        }),
    ],
  ]

  const receipts: Rows<Forgery> = [
    ['a check twice', () => receipt('approved', (r) => r.verdict.items.push(r.verdict.items[0]))],
    ['a check less', () => receipt('rejected', (r) => r.verdict.items.pop())],
    ['its checks in another order', () => receipt('approved', (r) => r.verdict.items.reverse())],
    ['a check of another verifier beside its own', () => receipt('rejected', (r) => r.verdict.items.push(SCORED))],
    ['the check of a reviewer for a machine', () => receipt('approved', (r) => (r.verdict.items = [REVIEWED]))],
    ['the checks of a machine for a reviewer', () => receipt('reviewed', (r) => (r.verdict.items = approved().verdict.items))],
    ['the check of a reviewer for a verdict on chain', () => receipt('approved on chain', (r) => (r.verdict.items = [REVIEWED]))],
    ['a check of its arbitrator twice', () => receipt('split', (r) => r.verdict.items.push(r.verdict.items[0]))],
    ['no check of its arbitrator', () => receipt('upheld', (r) => r.verdict.items.pop())],
    ['a check of another verifier before that of its arbitrator', () => receipt('dismissed', (r) => r.verdict.items.unshift(SCORED))],
    [
      'an arbitrator that did not judge',
      () => receipt('dismissed', (r) => Object.assign(r.verdict.items[0], { result: 'not_applicable', evidence: null })),
    ],
    [
      'a time-out that judged',
      () => receipt('split by time-out', (r) => Object.assign(r.verdict.items[0], { result: 'met', evidence: '/verdict' })),
    ],
    [
      'an inconclusive verdict that a time-out left, with the checks of a rejection',
      () => receipt('timed out', (r) => (r.verdict.outcome = 'inconclusive')),
    ],
    ['a fault of the platform with the checks of a rejection', () => receipt('timed out', (r) => (r.verdict.outcome = 'platform_fault'))],
    ['the evidence of another check', () => receipt('approved', (r) => (r.verdict.items[1].evidence = '/score'))],
    [
      'a check in the text of its reason',
      () =>
        receipt('approved', (r) => {
          const [{ criterion, result }] = r.verdict.items.splice(0, 1)
          r.verdict.reasonCode += ` ${criterion}=${result}`
        }),
    ],
    ['the reason of a rejection', () => receipt('approved', (r) => (r.verdict.reasonCode = 'BENCHMARK_THRESHOLD_MISSED'))],
    ['the reason of another verifier', () => receipt('approved', (r) => (r.verdict.reasonCode = 'DETERMINISTIC_MATCH'))],
    ['the reason of another decision', () => receipt('split', (r) => (r.verdict.reasonCode = 'DISPUTE_OVERTURNED'))],
    ['another reason than a time-out has', () => receipt('timed out', (r) => (r.verdict.reasonCode = 'BENCHMARK_THRESHOLD_MISSED'))],
    ['a verifier of no mode', () => receipt('approved', (r) => (r.verifier.handler = 'oracle'))],
    ['another verifier than its terms', () => receipt('approved', (r) => (r.verifier.handler = 'codehost_pr'))],
    ['a version that its verifier never had', () => receipt('approved', (r) => (r.verifier.version = 3))],
    ['a version of a reviewer', () => receipt('reviewed', (r) => (r.verifier.version = 2))],
    ['a version of an arbitrator', () => receipt('dismissed', (r) => (r.verifier.version = 2))],
    ['a version that rules of approval never had', () => receipt('approved', (r) => (r.intent.successPolicy.version = 2))],
    ['a verdict that was computed nowhere', () => receipt('approved', (r) => (r.execution.environment = null))],
    ['an arbitration that was computed', () => receipt('dismissed', (r) => (r.execution.environment = approved().execution.environment))],
    [
      'an approval that no wallet signed',
      () =>
        receipt('approved', (r) => {
          delete r.verifier.wallet
          r.signers.pop()
        }),
    ],
    [
      'a time-out that a wallet signed',
      () =>
        receipt('timed out', (r) => {
          r.verifier.wallet = OTHER
          r.signers.push({ role: 'verifier', status: 'signed', wallet: OTHER, at: r.timestamps.verifiedAt })
        }),
    ],
    ['reasons of a machine', () => receipt('approved', (r) => (r.verdict.rationaleHash = HASH))],
    ['reasons of a time-out', () => receipt('split by time-out', (r) => (r.verdict.rationaleHash = HASH))],
    ['a time-out that gave more than half', () => receipt('split by time-out', (r) => (r.resolution.workerShareBps = 6_000))],
    ['a time-out that gave everything', () => receipt('timed out', (r) => (r.resolution.workerShareBps = 10_000))],
    ['a time-out that gave less than half', () => receipt('timed out', (r) => (r.resolution.workerShareBps = 4_000))],
    ['a bond that its transaction slashed', () => receipt('rejected', (r) => (r.verdict.workerConsequence = 'no_payout'))],
    ['a bond that its transaction slashed after a time-out', () => receipt('timed out', (r) => (r.verdict.workerConsequence = 'none'))],
    ['a listing in 1970', () => receipt('approved', (r) => (r.signers[0].at = EPOCH))],
    ['a claim in 1970', () => receipt('approved', (r) => (r.timestamps.claimedAt = EPOCH))],
    ['a claim before its listing', () => receipt('approved', (r) => (r.timestamps.claimedAt = EARLY))],
    ['a claim two years before its deadline', () => receipt('approved', (r) => (r.timestamps.claimedAt = '2024-03-01T12:00:00.000Z'))],
    ['a deadline in 2999', () => receipt('approved', (r) => (r.intent.deadline = FUTURE))],
    [
      'work that was done before its listing',
      () =>
        receipt('approved', (r) => {
          r.timestamps.claimedAt = r.timestamps.submittedAt = r.signers[1].at = EARLY
        }),
    ],
    ['a replaced verdict in 1970', () => receipt('split', (r) => (r.resolution.replacedVerdict.resolvedAt = EPOCH))],
    ['a replaced verdict before the work', () => receipt('split', (r) => (r.resolution.replacedVerdict.resolvedAt = EARLY))],
    ['a replaced verdict with a check twice', () => receipt('split', (r) => r.resolution.replacedVerdict.items.push(SCORED))],
    [
      'a replaced verdict without its checks',
      () => receipt('split', (r) => Object.assign(r.resolution.replacedVerdict, { outcome: 'disputed', items: [] })),
    ],
    ['a replaced verdict for a reason of its own', () => receipt('split', (r) => (r.resolution.replacedVerdict.reasonCode = 'OTHER'))],
  ]

  const files: Rows<Forgery> = [
    ['a check twice in a verdict', () => file('split', (f) => f.verdicts[0].items.push(f.verdicts[0].items[0]))],
    ['a check of another verifier in a verdict', () => file('upheld', (f) => f.verdicts[0].items.push(SCORED))],
    ['a check less in a verdict', () => file('timed out', (f) => f.verdicts[0].items.pop())],
    ['a verdict for a reason of its own', () => file('upheld', (f) => (f.verdicts[0].reasonCode = 'OTHER'))],
    ['a verdict of a verifier that its terms do not have', () => file('upheld', (f) => (f.verdicts[0].handler = 'deterministic'))],
    ['a verdict of a verifier of no mode', () => file('upheld', (f) => (f.verdicts[0].handler = 'oracle'))],
    ['a version that a verifier never had', () => file('upheld', (f) => (f.verdicts[0].version = 3))],
    ['a verdict without a version', () => file('upheld', (f) => (f.verdicts[0].version = 0))],
    ['a version in its receipt that its verdict does not have', () => file('timed out', (f) => (f.receipt.verifier.version = 1))],
    ['a receipt that a verdict bears out which is missing', () => file('upheld', (f) => (f.verdicts = []))],
    ['a time-out that leaves a verdict which is missing', () => file('timed out', (f) => (f.verdicts = []))],
    ['a verdict twice', () => file('split', (f) => f.verdicts.push(f.verdicts[0]))],
    [
      'a later verdict that its receipt ignores',
      () =>
        file('upheld', (f) => {
          const { verdict } = approved()
          f.verdicts.push({ ...f.verdicts[0], verificationId: 'verify-2', outcome: 'approved', ...pickJudged(verdict) })
        }),
    ],
    ['a replaced verdict that its receipt does not name', () => file('split', (f) => delete f.receipt.resolution.replacedVerdict)],
    ['a verdict in 1970', () => file('upheld', (f) => (f.verdicts[0].decidedAt = EPOCH))],
    ['a verdict before the work', () => file('upheld', (f) => (f.verdicts[0].decidedAt = EARLY))],
    ['a decision in 1970', () => file('split', (f) => (f.rounds[0].at = EPOCH))],
    ['a decision before the work', () => file('split', (f) => (f.rounds[0].at = EARLY))],
    ['a decision on chain in another block', () => file('timed out', (f) => (f.rounds[0].at = f.openedAt))],
    [
      'a decision on chain that another wallet sent',
      () => file('dismissed', (f) => Object.assign(f.rounds[0], { source: 'chain', by: OTHER, at: f.receipt.timestamps.verifiedAt })),
    ],
    ['a decision without its transaction', () => file('split', (f) => (f.rounds[0].txHash = null))],
    ['an arbitration that was a time-out', () => file('split', (f) => (f.rounds[0].source = 'timeout'))],
    ['a time-out that an arbitrator divided', () => file('split by time-out', (f) => (f.rounds[0].source = 'arbitrator'))],
    ['a time-out of the contract that the service decided', () => file('timed out', (f) => (f.rounds[0].source = 'timeout'))],
    ['another reason than its receipt', () => file('split', (f) => (f.rounds[0].reasonCode = 'DISPUTE_OVERTURNED'))],
    ['a dismissal that paid nothing', () => file('dismissed', (f) => setRaw(f.rounds[0].workerPayout, '0', '0'))],
    ['a rejection that paid', () => file('upheld', (f) => setRaw(f.rounds[0].workerPayout, '1000000', '1'))],
    ['a time-out that paid otherwise', () => file('timed out', (f) => setRaw(f.rounds[0].workerPayout, '900000', '0.9'))],
    ['a dismissal without its payment', () => file('dismissed', (f) => (f.rounds[0].workerPayout = null))],
    ['an opening in 1970', () => file('split', (f) => Object.assign(f, { openedAt: EPOCH }))],
    [
      'an opening before the work',
      () =>
        file('split', (f) => {
          f.openedAt = EARLY
          f.deadlines.arbitrationEndsAt = '2026-02-15T00:00:00.000Z'
        }),
    ],
    ['an arbitration of a day', () => file('split', (f) => (f.deadlines.arbitrationEndsAt = '2026-03-02T12:00:01.600Z'))],
    ['an arbitration until 2999', () => file('split', (f) => (f.deadlines.arbitrationEndsAt = FUTURE))],
    ['a window in 1970', () => file('split', (f) => (f.deadlines.disputeWindowEndsAt = EPOCH))],
    ['a window of a month', () => file('split', (f) => (f.deadlines.disputeWindowEndsAt = '2026-04-01T12:00:01.500Z'))],
    ['no window of its rejection', () => file('split', (f) => (f.deadlines.disputeWindowEndsAt = null))],
    ['an origin of an operator', () => file('split', (f) => (f.origin = 'operator'))],
    ['an origin of a review', () => file('split', (f) => (f.origin = 'review'))],
    ['a reason of its dispute that its history does not have', () => file('split', (f) => (f.reasonCode = 'HUMAN_REVIEW_REQUIRED'))],
    ['a definition with another title', () => file('split', (f) => (f.terms.definition.title = 'Other'))],
    ['a definition with another verifier', () => file('split', (f) => (f.terms.definition.verifierConfig.minimumMatches = 1))],
    ['a definition without its instructions', () => file('split', (f) => delete f.terms.definition.agentInstructions)],
    ['a definition of other terms', () => file('split', (f) => (f.terms.definition.provenance.specHash = HASH))],
    ['a definition with another reward', () => file('split', (f) => (f.terms.definition.rewardAmount = 3))],
    ['terms with another reward', () => file('split', (f) => inTerms(f, (d) => (d.rewardAmountRaw = '3000000')))],
    ['terms with another asset', () => file('split', (f) => inTerms(f, (d) => (d.rewardAsset = 'WBTC')))],
    ['terms with another deadline', () => file('split', (f) => inTerms(f, (d) => (d.claimTtlSeconds = 60)))],
    ['a listing at another time than its receipt', () => file('split', (f) => (f.terms.definition.listedAt = '2026-03-01T11:00:00.000Z'))],
    [
      'a job that was made in 1970',
      () => file('split', (f) => (f.terms.definition.lifecycle.createdAt = f.terms.definition.provenance.firstSeenAt = EPOCH)),
    ],
    ['a job that was seen before it was made', () => file('split', (f) => (f.terms.definition.provenance.firstSeenAt = EARLY))],
    ['a poster of another class', () => file('split', (f) => (f.terms.definition.provenance.postingRoute = 'external-direct'))],
    ['a stake that its transaction did not move', () => file('split', (f) => setRaw(f.terms.claimStake, '300000', '0.3'))],
    ['no stake', () => file('dismissed', (f) => setRaw(f.terms.claimStake, '0', '0'))],
    ['a stake that its transaction did not slash', () => file('upheld', (f) => setRaw(f.terms.claimStake, '400000', '0.4'))],
    ['a stake that is no part of its reward', () => file('upheld', (f) => setRaw(f.terms.claimStake, '200001', '0.200001'))],
    ['a stake above its reward', () => file('split', (f) => setRaw(f.terms.claimStake, '3000000', '3'))],
    ['another fee of its claim', () => file('timed out', (f) => setRaw(f.terms.claimFee, '0', '0'))],
    ['a claim at another time than its receipt', () => file('split', (f) => (f.log[0].at = '2026-03-01T11:59:00.000Z'))],
    ['a claim in 1970 in its history', () => file('split', (f) => (f.log[0].at = EPOCH))],
    ['work at another time than its receipt', () => file('split', (f) => (f.log[1].at = '2026-03-01T12:00:01.400Z'))],
    ['an end at another time than its receipt', () => file('split', (f) => (f.log[4].at = '2026-03-01T12:00:05.000Z'))],
    ['a rejection that is dated back in its history', () => file('split', (f) => (f.log[2].at = EARLY))],
    ['a dispute that is dated back in its history', () => file('split', (f) => (f.log[3].at = EARLY))],
    ['a dispute in 1970 in its history', () => file('split', (f) => (f.log[3].at = EPOCH))],
    ['an entry that was recorded before it came', () => file('split', (f) => (f.log[4].recordedAt = EARLY))],
    ['an end for another reason than its receipt', () => file('split', (f) => (f.log[4].reason = 'DISPUTE_LOST'))],
    ['an end that paid otherwise than its receipt', () => file('split', (f) => setRaw(f.log[4].metadata.workerPayout, '2000000', '2'))],
    ['an end without its transaction', () => file('split', (f) => delete f.log[4].metadata.txHash)],
    ['another receipt in its history', () => file('split', (f) => (f.log[2].metadata.receiptId = HASH))],
  ]

  return { badges, receipts, files }
}
