import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { knownValue } from '../../../domain/common/fact.ts'
import { assess } from '../../../domain/eligibility/assessment.ts'
import { assertClaimable, certainRefusal, type Evaluation, evaluate, recheckRacing } from '../../../domain/eligibility/evaluate.ts'
import type { EligibilityFacts, FactName } from '../../../domain/eligibility/facts.ts'
import { type Blocker, GATES, type GateName, refusalCode } from '../../../domain/eligibility/gates/blocker.ts'
import { serveCompact } from '../../../domain/eligibility/views/compact-job.ts'
import { jobFactsOf, servedJob } from '../../../domain/eligibility/views/definition.ts'
import { explainView, preflightView } from '../../../domain/eligibility/views/preflight.ts'
import { recommendationRow } from '../../../domain/eligibility/views/recommendations.ts'
import { runsOf } from '../../support/cases/sample.ts'
import { asListed, POLICY } from '../builders/eligibility.ts'
import { FACT_NAMES, fullFacts, without } from '../builders/eligibility-generator.ts'

/** The priority window is open to be tested; half of the generated jobs are inside it. */
const POLICY_WITH_WINDOW = { ...POLICY, priority: { ...POLICY.priority, enabled: true } }
const BASE = 'https://work.example'
const MORE_RUNS = { numRuns: runsOf(2_000) }
const RUNS = { numRuns: runsOf(1_000) }

const CAPACITY: readonly FactName[] = ['vestedRaw', 'locks', 'rewardBank', 'priority.outstandingCreditRaw']
/** What each gate reads besides the job's own rows. A claim state that is otherwise asks the window otherwise. */
const FACTS_OF: Record<GateName, readonly FactName[]> = {
  maintainer_policy: ['maintainers'],
  delisted: [],
  claim_state: ['rewardBank', 'externalPosting', 'readiness'],
  own_posting: [],
  earning_identity: ['identity'],
  designated_claimants: ['rewardBank', 'externalPosting', 'readiness'],
  tier: ['scores'],
  role: ['scores'],
  priority_window: [
    'priority.directoryListed',
    'priority.capacity',
    'priority.outstandingCreditRaw',
    'rewardBank',
    'externalPosting',
    'readiness',
  ],
  paid_source: ['paidSource'],
  responsible_person: ['maintainers', 'responsiblePerson'],
  open_pr_cap: ['maintainers'],
  claim_economics: ['economics'],
  delegate_budget: ['delegate', 'economics'],
  wallet_funding: ['economics', 'liquidity', 'exposure', ...CAPACITY, 'catalogueUse'],
  onboarding_subsidy: ['economics', 'subsidyAllocatedRaw'],
  definition_integrity: ['definitionIntact', 'chainJob'],
  open_exposure: ['exposure', ...CAPACITY],
  allowance: ['exposure'],
  catalogue_budget: ['catalogueUse'],
  chain_state: ['chainJob'],
  protocol_pause: ['paused', 'chainJob'],
}
const CHAIN_FACTS: readonly FactName[] = [
  'economics',
  'liquidity',
  'vestedRaw',
  'chainJob',
  'paused',
  'priority.capacity',
  'priority.outstandingCreditRaw',
]

/** What is not read for a reader without a wallet. */
const WALLETS_OWN = FACT_NAMES.filter(
  (name) => name !== 'rewardBank' && name !== 'externalPosting' && name !== 'readiness' && name !== 'maintainers',
)

/** Gates that are about the job, for every reader. */
const JOBS_OWN_GATES: readonly GateName[] = ['delisted', 'claim_state', 'maintainer_policy', 'open_pr_cap']
/** Gates that are about the job in the catalogue and the wallet's standing, not about money or the moment. */
const STANDING_GATES: readonly GateName[] = ['delisted', 'claim_state', 'designated_claimants', 'tier', 'role', 'priority_window']
/** Gates whose facts another claim may change between the evaluation and the reservation. */
const RACED_GATES: readonly GateName[] = [
  'maintainer_policy',
  'delisted',
  'claim_state',
  'paid_source',
  'responsible_person',
  'open_pr_cap',
  'delegate_budget',
  'wallet_funding',
  'onboarding_subsidy',
  'open_exposure',
  'allowance',
  'catalogue_budget',
]

/** True where a pause is not named, because the wallet's own claim runs on chain. */
const sparesOwn = (facts: EligibilityFacts): boolean =>
  knownValue(facts.paused) === true && !judge(facts).blockers.some(({ gate }) => gate === 'protocol_pause')

const key = ({ gate, code }: Blocker): string => `${gate}/${code}`
const judge = (facts: EligibilityFacts) => evaluate(facts, POLICY_WITH_WINDOW)
/** Gates that may stand in a full evaluation because of what only the chain knows. */
const isChainGate = (gate: GateName): boolean => FACTS_OF[gate].some((name) => CHAIN_FACTS.includes(name))
const beyondChain = (blockers: readonly Blocker[]): string[] => blockers.filter(({ gate }) => !isChainGate(gate)).map(key)

/** What a catalogue shows of a job. */
const catalogueOf = (evaluation: Evaluation) => ({
  definition: servedJob(evaluation, BASE),
  row: serveCompact(jobFactsOf(evaluation), { reason: evaluation.reason, bond: null }),
})

/** What the service answers a wallet about a job. */
const advised = (evaluation: Evaluation) => {
  const parts = servedJob(evaluation, BASE)
  return {
    preflight: preflightView(evaluation, parts),
    explained: explainView(evaluation, parts),
    recommended: evaluation.assessment.facts.economics === 'unreadable' ? null : recommendationRow(evaluation),
  }
}

const claimCodeOf = (evaluation: Evaluation): unknown => {
  try {
    assertClaimable(evaluation)
    return null
  } catch (error) {
    return (error as { code?: unknown }).code
  }
}

/** Members of two answers that bear the same name must bear the same value. */
const expectShared = (answer: object, other: object, except: readonly string[] = []): void => {
  const shared = Object.keys(answer).filter((name) => name in other && !except.includes(name))
  expect(shared.length).toBeGreaterThan(0)
  const pick = (from: object) => Object.fromEntries(shared.map((name) => [name, Reflect.get(from, name)]))
  expect(pick(answer)).toEqual(pick(other))
}

describe('over all jobs, wallets, sessions and chain facts', () => {
  test('a "no" of a list is among the blockers of the preflight, and its first unless a chain fact stands before it', () => {
    fc.assert(
      fc.property(fullFacts, (facts) => {
        const listed = judge(asListed(facts)).blockers
        const full = judge(facts).blockers
        expect(full.map(key)).toEqual(expect.arrayContaining(listed.map(key)))
        const [firstListed] = listed
        const [firstFull] = full
        if (firstListed && firstFull && !isChainGate(firstFull.gate)) expect(key(firstFull)).toBe(key(firstListed))
      }),
      MORE_RUNS,
    )
  })

  test('what the database alone refuses, a list refuses too', () => {
    fc.assert(
      fc.property(fullFacts, (facts) => {
        expect(beyondChain(judge(asListed(facts)).blockers)).toEqual(beyondChain(judge(facts).blockers))
      }),
      RUNS,
    )
  })

  test('each gate says what it says on the facts that it reads, whatever else was read; on an unread fact it says nothing', () => {
    fc.assert(
      fc.property(fullFacts, fc.subarray([...FACT_NAMES]), (facts, picked) => {
        const full = judge(facts)
        // Every job names a pause until the wallet's own claim is read: only there an unread fact refuses more than the read one.
        const unread = sparesOwn(facts) ? picked.filter((name) => name !== 'chainJob') : picked
        const partial = judge(without(facts, unread))
        for (const gate of GATES) {
          const found = ({ blockers }: Evaluation) => blockers.find((one) => one.gate === gate)
          if (!FACTS_OF[gate].some((name) => unread.includes(name))) expect(found(partial)).toEqual(found(full))
          // Of two reasons of one gate the unread one may be the one that it names first.
          else if (!FACTS_OF.claim_state.some((fact) => unread.includes(fact)) && found(partial)) expect(found(full)).toBeDefined()
        }
        if (!partial.eligible) expect(full.eligible).toBe(false)
      }),
      MORE_RUNS,
    )
  })

  test('what some facts refuse for certain is what a claim on all facts refuses with, and all facts leave nothing uncertain', () => {
    fc.assert(
      fc.property(fullFacts, fc.subarray([...FACT_NAMES]), (facts, unread) => {
        const [first] = judge(facts).blockers
        const certain = certainRefusal(judge(without(facts, unread)))
        if (certain !== null) expect(certain).toEqual(first)
        // Before the first blocker everything that its gate and those before it read is known.
        const before = GATES.slice(0, first === undefined ? GATES.length : GATES.indexOf(first.gate) + 1)
        if (!before.some((gate) => FACTS_OF[gate].some((name) => unread.includes(name)))) expect(certain).toEqual(first ?? null)
      }),
      MORE_RUNS,
    )
  })

  test('no claim is decided while a fact is unread', () => {
    fc.assert(
      fc.property(fullFacts, fc.constantFrom(...FACT_NAMES), (facts, name) => {
        const partial = without(facts, [name])
        expect(() => assertClaimable(judge(partial))).toThrow(name)
        expect(() => recheckRacing(assess(partial, POLICY_WITH_WINDOW))).toThrow(name)
      }),
      RUNS,
    )
  })

  test('row, definition and preflight show one claim status; a list never hides a "no" that it knows', () => {
    fc.assert(
      fc.property(fullFacts, (facts) => {
        const listed = judge(asListed(facts))
        const { row, definition } = catalogueOf(listed)
        const { preflight } = advised(judge(facts))
        const { currentWalletCanClaim: listSays, ...listStatus } = listed.claimStatus
        const { currentWalletCanClaim: fullSays, ...fullStatus } = preflight.claimStatus
        expect(listStatus).toEqual(fullStatus)
        expect(listSays).toBe(listed.blockers.length === 0)
        if (listSays === false) expect([fullSays, preflight.eligible]).toEqual([false, false])
        expect(definition.claimStatus).toEqual(listed.claimStatus)
        expectShared(definition, { ...listed.claimStatus, fundingState: preflight.fundingState })
        expect([row.claimable, row.reason]).toEqual([listed.eligible, listed.reason])
        expectShared(preflight, judge(facts).claimStatus, ['reason', 'claimNumber'])
        const anonymous = judge({ ...without(facts, WALLETS_OWN), wallet: null })
        expect(anonymous.claimStatus.currentWalletCanClaim).toBeNull()
        expect(anonymous.claimStatus.claimable).toBe(fullStatus.claimable)
        expect(anonymous.blockers.filter(({ gate }) => !JOBS_OWN_GATES.includes(gate))).toEqual([])
      }),
      MORE_RUNS,
    )
  })

  test('preflight, explain, recommendations and claim agree on the same facts', () => {
    fc.assert(
      fc.property(fullFacts, (facts) => {
        const evaluation = judge(facts)
        const { preflight, explained, recommended } = advised(evaluation)
        const [first] = evaluation.blockers
        const code = claimCodeOf(evaluation)
        expect(code).toBe(first ? refusalCode(first.code) : null)
        expect([evaluation.eligible, evaluation.claimStatus.currentWalletCanClaim]).toEqual([code === null, code === null])
        expect(preflight.blockers).toEqual(evaluation.blockers)
        if (first) expect([preflight.reason, preflight.reasonMessage]).toEqual([first.code, first.message])
        expect([preflight.supportsVerifier, preflight.eligible]).toEqual([true, code === null])
        expectShared(explained, preflight)
        if (recommended !== null) expectShared(recommended, preflight)
      }),
      MORE_RUNS,
    )
  })

  test('what a preflight says of one gate is what the gate says', () => {
    fc.assert(
      fc.property(fullFacts, (facts) => {
        const { preflight } = advised(judge(facts))
        const blocked = (...gates: GateName[]): boolean => preflight.blockers.some(({ gate }) => gates.includes(gate))
        const { onboardingSubsidy: subsidy, claimFundingSufficient: sufficient, priorityQualification } = preflight
        expect({
          catalogEligible: preflight.catalogEligible,
          delisted: preflight.delisted,
          tier: preflight.tierGate.unlocked,
          role: preflight.roleGate.unlocked,
          window: priorityQualification.status === 'priority_window_active' && !blocked('claim_state'),
          economics: preflight.netRewardRaw === null,
          funding: sufficient === false,
          subsidy: subsidy?.applies === true && !subsidy.available,
          integrity: preflight.jobDefinitionIntegrity.eligible,
          exposure: preflight.workerExposure.allowed,
          allowance: preflight.dailyAllowance.allowed,
          budget: preflight.catalogueDailyBudget.allowed,
        }).toEqual({
          catalogEligible: !blocked(...STANDING_GATES),
          delisted: blocked('delisted'),
          tier: !blocked('tier'),
          role: !blocked('role'),
          window: blocked('priority_window'),
          economics: blocked('claim_economics'),
          funding: blocked('wallet_funding') && sufficient !== null,
          subsidy: blocked('onboarding_subsidy'),
          integrity: !blocked('definition_integrity'),
          exposure: !blocked('open_exposure'),
          allowance: !blocked('allowance'),
          budget: !blocked('catalogue_budget'),
        })
        if (blocked('wallet_funding')) expect(sufficient).not.toBe(true)
        if (facts.job.designatedClaimants === null) expect(preflight.claimable).toBe(!blocked('claim_state'))
      }),
      RUNS,
    )
  })

  test('the terms shown are those of the claim while a claim holds, and the catalogue’s otherwise', () => {
    fc.assert(
      fc.property(fullFacts, (facts) => {
        const { row, definition } = catalogueOf(judge(asListed(facts)))
        const session = facts.latestSession
        const lapsed = session?.status === 'claimed' && session.submission === null && session.claimExpiresAt < facts.now
        const held = session !== null && session.status !== 'expired' && !lapsed
        expect([definition.definitionSource, definition.title === 'As claimed', row.title === 'As claimed']).toEqual([
          held ? 'claim_snapshot' : 'catalogue',
          held,
          held,
        ])
      }),
      RUNS,
    )
  })

  test('blockers come in gate order, each once, and the first is the reason', () => {
    fc.assert(
      fc.property(fullFacts, (facts) => {
        const { blockers, reason } = judge(facts)
        const ranks = blockers.map((found) => GATES.indexOf(found.gate))
        expect(ranks).toEqual([...new Set(ranks)].sort((left, right) => left - right))
        expect(new Set(blockers.map((found) => found.code)).size).toBe(blockers.length)
        if (blockers[0]) expect(reason).toBe(blockers[0].code)
      }),
      RUNS,
    )
  })

  test('the re-check under locks says what the evaluator says, of all that can race and of nothing else', () => {
    fc.assert(
      fc.property(fullFacts, (facts) => {
        const raced = recheckRacing(assess(facts, POLICY_WITH_WINDOW))
        const first = judge(facts).blockers.find(({ gate }) => RACED_GATES.includes(gate))
        expect(raced).toEqual(first ?? null)
      }),
      RUNS,
    )
  })

  test('the generator meets every gate first often enough, and every verifier mode on a job that is open to the wallet', () => {
    const first = new Map<GateName, number>()
    const reached = new Set<GateName>()
    const modes = new Set<string>()
    let eligible = 0
    fc.assert(
      fc.property(fullFacts, (facts) => {
        const { blockers } = judge(facts)
        for (const { gate } of blockers) reached.add(gate)
        const [found] = blockers
        if (found) first.set(found.gate, (first.get(found.gate) ?? 0) + 1)
        else modes.add(facts.job.definition.verifierMode)
        if (!found) eligible += 1
      }),
      { numRuns: 4000 },
    )
    expect([...reached].sort()).toEqual([...GATES].sort())
    // A claim state always stands before it.
    const ever = GATES.filter((gate) => gate !== 'designated_claimants')
    expect(ever.filter((gate) => (first.get(gate) ?? 0) < 5)).toEqual([])
    expect([eligible > 200, modes.size]).toEqual([true, 5])
  })
})
