import { createSigners, roleOf } from '../../activities/chain/clients.ts'
import { nonceRemedy } from '../../domain/chain/nonce-trouble.ts'
import { isoOrNull } from '../../domain/common/instants.ts'
import { createsNothing, isSilent } from '../../domain/ingestion/schedules.ts'
import type { Health } from '../../schemas/health/shapes.ts'
import type { ServiceDeps } from '../deps.ts'
import { STOPPED_FILTERS } from '../temporal/engine.ts'
import { type Findings, indexerOf, indexerState, runnerOf, troublesOf, workerState } from './findings.ts'
import { settlementWarnings } from './settlement.ts'
import type { ProductSnapshot } from './snapshot.ts'
import { verificationWarnings } from './verification.ts'

/** Share of the daily subsidy below which its headroom is low. */
const LOW_HEADROOM_PERCENT = 20n

type Warning = Health['warnings'][number]

const givenIf =
  (severity: Warning['severity']) =>
  (isGiven: boolean, code: string, message: string): Warning[] =>
    isGiven ? [{ code, severity, message }] : []
const warnIf = givenIf('warn')
const errorIf = givenIf('error')

type Reported = Pick<Health, 'onboarding' | 'capabilityHealth' | 'rewardBank'>

/** What stops the whole service. It comes first: most other warnings follow from it. */
const causeWarnings = (findings: Findings): Warning[] => {
  const { state, unserved } = workerState(findings)
  const noQueue = `No worker takes the work of the kind ${unserved.join(', ')}: start one whose WORKER_QUEUES has it.`
  const noWorker = 'No worker has polled for two minutes: claims, verdicts and payments wait. Start a worker; its log names what stops it.'
  return [
    ...errorIf(!findings.database.ok, 'state_store_unavailable', 'The database does not answer.'),
    ...errorIf(state === 'engine_unreachable', 'engine_unreachable', 'Temporal does not answer: claims are refused, deadlines fire late.'),
    ...errorIf(state === 'no_worker' || state === 'stale', 'no_worker', noWorker),
    ...errorIf(state === 'unserved', 'queue_unserved', noQueue),
  ]
}

/** What the members of the report say about chain, bank and jobs. */
const reportWarnings = ({ database }: Findings, { capabilityHealth, onboarding, rewardBank }: Reported): Warning[] => {
  const isUnhealthy = capabilityHealth.blockchain === 'unhealthy'
  const isDisabled = capabilityHealth.treasuryMutations === 'disabled'
  const noKey = 'No operator key is configured: the API serves reads and sends no transactions.'
  const noSends = 'The operator cannot send transactions at the moment.'
  const fewJobs = 'New agents may find too few jobs with a waived bond.'
  return [
    ...errorIf(isUnhealthy, 'blockchain_unhealthy', 'The chain could not be read three times in a row.'),
    ...givenIf('info')(isDisabled, 'treasury_mutations_disabled', noKey),
    ...errorIf(isUnhealthy && !isDisabled, 'treasury_mutations_degraded', noSends),
    ...warnIf(database.ok && rewardBank.stale, 'blockchain_reward_bank_stale', 'The reward bank was not read recently.'),
    ...(onboarding.reason === null ? [] : warnIf(database.ok, onboarding.reason, fewJobs)),
  ]
}

const nonceWarnings = ({ settings }: ServiceDeps, findings: Findings): Warning[] =>
  troublesOf(findings).flatMap(({ signer, trouble }) => {
    // A placeholder for the role when this process has no key for the address.
    const remedy = nonceRemedy(trouble, roleOf(createSigners(settings), signer) ?? '<its role>')
    const message = `Later transactions of ${signer} wait for nonce ${trouble.nonce}. See: npm run nonce -- status; then: ${remedy}`
    return errorIf(true, `treasury_mutations_nonce_${trouble.kind}`, message)
  })

const chainWarnings = (deps: ServiceDeps, findings: Findings): Warning[] => {
  const { database, chain, evidence } = findings
  const { lagSeconds, block, gapBlock } = indexerOf(deps, findings)
  const indexer = indexerState(deps, findings)
  const { batchSize, configuredSize, lastRefusal } = evidence
  return [
    ...errorIf(
      indexer === 'lagging',
      'indexer_lagging',
      `Chain events after block ${block} are not recorded; the records were last complete ${lagSeconds} s ago.`,
    ),
    ...errorIf(
      indexer === 'behind',
      'indexer_behind',
      `The node leaves out events of block ${gapBlock}; later records may lack them until it answers in full.`,
    ),
    ...warnIf(indexer === 'unavailable' && database.ok, 'indexer_unavailable', 'The indexer lag is unknown: no worker follows the chain.'),
    // A smaller batch costs more requests and nothing else.
    ...warnIf(
      lastRefusal !== null && batchSize < configuredSize,
      'blockchain_batches_refused',
      `The node refused a batch of ${lastRefusal?.size} requests; batches have at most ${batchSize} now. Set CHAIN_BATCH_SIZE.`,
    ),
    ...errorIf(
      chain.ok && chain.value.paused,
      'treasury_mutations_paused',
      'The contracts are paused: no transaction passes until the pause ends. Deadlines continue.',
    ),
    ...nonceWarnings(deps, findings),
  ]
}

const sessionWarnings = ({ people, diverged, audit }: ProductSnapshot): Warning[] => {
  const since = isoOrNull(people.oldestAt)
  const namesOf = (outcome: string) => audit.filter((one) => one.outcome === outcome).map(({ name }) => name)
  const [failed, unread] = [namesOf('failed'), namesOf('unread')]
  return [
    ...warnIf(
      people.count > 0,
      'disputes_waiting_for_people',
      `${people.count} disputes are undecided for more than a day, the oldest since ${since}. See GET /disputes?status=open, GET /verifier/pending.`,
    ),
    ...errorIf(
      diverged > 0,
      'sessions_diverged',
      `${diverged} sessions do not match the chain: settle their money on chain, then POST /admin/sessions/close.`,
    ),
    ...warnIf(failed.length > 0, 'audit_findings', `The last audit found contradictions: ${failed.join(', ')}. See: npm run audit`),
    ...warnIf(unread.length > 0, 'audit_unread', `The last audit could not read: ${unread.join(', ')}. See: npm run audit`),
  ]
}

const stoppedWarnings = ({ temporal, stopped }: Findings): Warning[] => {
  const { refused, failing } = stopped.ok ? stopped.value : { refused: 0, failing: 0 }
  return [
    ...warnIf(
      temporal.ok && !stopped.ok,
      'sessions_held_unknown',
      `Blocked and failing workflows could not be counted. Temporal UI: ${STOPPED_FILTERS.refused}, or ${STOPPED_FILTERS.failing}.`,
    ),
    ...errorIf(
      refused > 0,
      'sessions_held',
      `The next step of ${refused} workflows is refused and retried at intervals until the cause is fixed. Temporal UI: ${STOPPED_FILTERS.refused}.`,
    ),
    ...errorIf(
      failing > 0,
      'sessions_failing',
      `${failing} workflows fail in every workflow task: see the last event of their history and the worker's log. Temporal UI: ${STOPPED_FILTERS.failing}.`,
    ),
  ]
}

const runnerWarnings = (deps: ServiceDeps, findings: Findings): Warning[] => {
  const { state, reason } = runnerOf(deps, findings)
  const missing = 'No runner polls: patches are neither verified nor paid by proof. Start one: npm run runner.'
  return [
    ...warnIf(state === 'no_runner', 'runner_missing', missing),
    ...warnIf(state === 'no_sandbox', 'runner_without_sandbox', `No runner has a sandbox, so that no patch is verified: ${reason}`),
  ]
}

const moneyWarnings = ({ settings }: ServiceDeps, { subsidy, overdueReviews, unpaidGrants, troubledLocks }: ProductSnapshot): Warning[] => {
  const budgetRaw = settings.ONBOARDING_SUBSIDY_DAILY_BUDGET_RAW
  const headroomRaw = budgetRaw - subsidy.allocatedRaw
  const isLow = headroomRaw > 0n && headroomRaw * 100n < budgetRaw * LOW_HEADROOM_PERCENT
  const { uncovered, unconsented } = troubledLocks
  return [
    ...warnIf(headroomRaw <= 0n, 'onboarding_subsidy_exhausted', 'The onboarding subsidy for today is used up.'),
    ...warnIf(isLow, 'onboarding_subsidy_headroom_low', 'Less than a fifth of the onboarding subsidy for today is left.'),
    ...warnIf(
      overdueReviews > 0,
      'codehost_pr_review_overdue',
      `${overdueReviews} pull requests wait for a verdict beyond their review time: preview and decide, oldest first.`,
    ),
    ...warnIf(
      unpaidGrants > 0,
      'gas_sponsor_grant_unfinished',
      `${unpaidGrants} gas grants did not pay: not mined after half an hour, or refused by the wallet in the last seven days.`,
    ),
    ...warnIf(
      uncovered > 0,
      'locked_tier_balance_below_encumbered',
      `${uncovered} locked deposits exit because the balance of their wallet fell below them.`,
    ),
    ...errorIf(
      unconsented > 0,
      'locked_tier_withdrawal_consent_mismatch',
      `${unconsented} locked deposits bind what their stored consent does not say: withdrawals stay refused until an operator has checked them.`,
    ),
  ]
}

/** Only for sources whose schedule is on. */
const sourceWarnings = ({ sources, asOf }: ProductSnapshot): Warning[] => {
  const silent = sources.filter((source) => isSilent(source, asOf)).map(({ provider }) => provider)
  const fruitless = sources.filter(createsNothing).map(({ provider }) => provider)
  return [
    ...warnIf(
      silent.length > 0,
      'source_silent',
      `No run of these sources of jobs ended well for more than three intervals: ${silent.join(', ')}. See GET /admin/sources.`,
    ),
    ...warnIf(
      fruitless.length > 0,
      'source_creates_nothing',
      `These sources of jobs had new candidates and listed none of them in 24 hours: ${fruitless.join(', ')}. See GET /admin/sources/items.`,
    ),
  ]
}

export const warningsOf = (deps: ServiceDeps, findings: Findings, reported: Reported): Warning[] => {
  const { snapshot } = findings
  return [
    ...causeWarnings(findings),
    ...reportWarnings(findings, reported),
    ...chainWarnings(deps, findings),
    ...(snapshot === null ? [] : sessionWarnings(snapshot)),
    ...stoppedWarnings(findings),
    ...(snapshot === null ? [] : moneyWarnings(deps, snapshot)),
    ...(snapshot === null ? [] : sourceWarnings(snapshot)),
    ...verificationWarnings(snapshot?.needs ?? null),
    ...runnerWarnings(deps, findings),
    ...settlementWarnings(findings.settlement),
  ]
}
