import { createSigners, roleOf } from '../../activities/chain/clients.ts'
import { nonceRemedy } from '../../domain/chain/nonce-trouble.ts'
import { isoOrNull } from '../../domain/common/instants.ts'
import type { Health } from '../../schemas/health/shapes.ts'
import { STOPPED_FILTERS } from '../temporal/engine.ts'
import { type Findings, indexerOf, indexerState, type ReportDeps, troublesOf } from './findings.ts'
import type { ProductSnapshot } from './snapshot.ts'
import { verificationWarnings } from './verification.ts'

/** Share of the daily subsidy below which its headroom is low. */
const LOW_HEADROOM_PERCENT = 20n

type Warning = Health['warnings'][number]
const warn = (code: string, message: string): Warning => ({ code, severity: 'warn', message })
const info = (code: string, message: string): Warning => ({ code, severity: 'info', message })
const error = (code: string, message: string): Warning => ({ code, severity: 'error', message })

const subsidyWarnings = ({ settings }: ReportDeps, snapshot: ProductSnapshot | null): Warning[] => {
  if (snapshot === null) return []
  const budgetRaw = settings.ONBOARDING_SUBSIDY_DAILY_BUDGET_RAW
  const headroomRaw = budgetRaw - snapshot.subsidy.allocatedRaw
  if (headroomRaw <= 0n) return [warn('onboarding_subsidy_exhausted', 'The onboarding subsidy for today is used up.')]
  if (headroomRaw * 100n >= budgetRaw * LOW_HEADROOM_PERCENT) return []
  return [warn('onboarding_subsidy_headroom_low', 'Less than a fifth of the onboarding subsidy for today is left.')]
}

const reviewWarnings = (snapshot: ProductSnapshot | null): Warning[] => {
  const overdue = snapshot?.overdueReviews ?? 0
  if (overdue === 0) return []
  const message = `${overdue} pull requests wait for a verdict beyond their review time: preview and decide, oldest first.`
  return [warn('codehost_pr_review_overdue', message)]
}

const grantWarnings = (snapshot: ProductSnapshot | null): Warning[] => {
  const unpaid = snapshot?.unpaidGrants ?? 0
  if (unpaid === 0) return []
  return [
    warn(
      'gas_sponsor_grant_unfinished',
      `${unpaid} gas grants did not pay: not mined after half an hour, or refused by the wallet in the last seven days.`,
    ),
  ]
}

const lockWarnings = (snapshot: ProductSnapshot | null): Warning[] => {
  const { uncovered, unconsented } = snapshot?.troubledLocks ?? { uncovered: 0, unconsented: 0 }
  const warnings: Warning[] = []
  if (uncovered > 0)
    warnings.push(
      warn(
        'locked_tier_balance_below_encumbered',
        `${uncovered} locked deposits exit because the balance of their wallet fell below them.`,
      ),
    )
  if (unconsented > 0)
    warnings.push(
      error(
        'locked_tier_withdrawal_consent_mismatch',
        `${unconsented} locked deposits bind what their stored consent does not say: withdrawals stay refused until an operator has checked them.`,
      ),
    )
  return warnings
}

/** The role of a signer address, or a placeholder when this process has no key for it. */
const roleIn = (settings: ReportDeps['settings'], signer: string): string => roleOf(createSigners(settings), signer) ?? '<its role>'

const nonceWarnings = (deps: ReportDeps, findings: Findings): Warning[] =>
  troublesOf(findings).map(({ signer, trouble }) => {
    const remedy = nonceRemedy(trouble, roleIn(deps.settings, signer))
    const message = `Later transactions of ${signer} wait for nonce ${trouble.nonce}. See: npm run nonce -- status; then: ${remedy}`
    return error(`treasury_mutations_nonce_${trouble.kind}`, message)
  })

const indexerWarnings = (deps: ReportDeps, findings: Findings): Warning[] => {
  const { lagSeconds, block, gapBlock } = indexerOf(deps, findings)
  switch (indexerState(deps, findings)) {
    case 'synced':
      return []
    case 'lagging': {
      const message = `Chain events after block ${block} are not recorded; the records were last complete ${lagSeconds} s ago.`
      return [error('indexer_lagging', message)]
    }
    case 'behind': {
      const message = `The node leaves out events of block ${gapBlock}; later records may lack them until it answers in full.`
      return [error('indexer_behind', message)]
    }
    case 'unavailable':
      if (!findings.database.ok) return []
      return [warn('indexer_unavailable', 'The indexer lag is unknown: no worker follows the chain.')]
  }
}

const peopleWarnings = (snapshot: ProductSnapshot | null): Warning[] => {
  const { count, oldestAt } = snapshot?.people ?? { count: 0, oldestAt: null }
  if (count === 0) return []
  const since = isoOrNull(oldestAt)
  const message = `${count} disputes are undecided for more than a day, the oldest since ${since}. See GET /disputes?status=open, GET /verifier/pending.`
  return [warn('disputes_waiting_for_people', message)]
}

const divergenceWarnings = (snapshot: ProductSnapshot | null): Warning[] => {
  const diverged = snapshot?.diverged ?? 0
  if (diverged === 0) return []
  const message = `${diverged} sessions do not match the chain: settle their money on chain, then POST /admin/sessions/close.`
  return [error('sessions_diverged', message)]
}

const auditWarnings = (snapshot: ProductSnapshot | null): Warning[] => {
  const namesOf = (outcome: string) => (snapshot?.audit ?? []).filter((one) => one.outcome === outcome).map(({ name }) => name)
  const [failed, unread] = [namesOf('failed'), namesOf('unread')]
  const warnings: Warning[] = []
  if (failed.length > 0)
    warnings.push(warn('audit_findings', `The last audit found contradictions: ${failed.join(', ')}. See: npm run audit`))
  if (unread.length > 0) warnings.push(warn('audit_unread', `The last audit could not read: ${unread.join(', ')}. See: npm run audit`))
  return warnings
}

const stoppedWarnings = ({ temporal, stopped }: Findings): Warning[] => {
  if (!temporal.ok) return []
  if (!stopped.ok) {
    const message = `Blocked and failing workflows could not be counted. Temporal UI: ${STOPPED_FILTERS.refused}, or ${STOPPED_FILTERS.failing}.`
    return [warn('sessions_held_unknown', message)]
  }
  const { refused, failing } = stopped.value
  const warnings: Warning[] = []
  if (refused > 0) {
    const message = `The next step of ${refused} workflows is refused and retried at intervals until the cause is fixed. Temporal UI: ${STOPPED_FILTERS.refused}.`
    warnings.push(error('sessions_held', message))
  }
  if (failing > 0) {
    const message = `${failing} workflows fail in every workflow task: see the last event of their history and the worker's log. Temporal UI: ${STOPPED_FILTERS.failing}.`
    warnings.push(error('sessions_failing', message))
  }
  return warnings
}

/** A smaller batch costs more requests and nothing else. */
const batchWarnings = ({ evidence: { batchSize, configuredSize, lastRefusal } }: Findings): Warning[] => {
  if (lastRefusal === null || batchSize >= configuredSize) return []
  const message = `The node refused a batch of ${lastRefusal.size} requests; batches have at most ${batchSize} now. Set CHAIN_BATCH_SIZE.`
  return [warn('blockchain_batches_refused', message)]
}

const pauseWarnings = ({ chain }: Findings): Warning[] => {
  if (!chain.ok || !chain.value.paused) return []
  const message = 'The contracts are paused: no transaction passes until the pause ends. Deadlines continue.'
  return [error('treasury_mutations_paused', message)]
}

export const warningsOf = (
  deps: ReportDeps,
  findings: Findings,
  health: Pick<Health, 'onboarding' | 'capabilityHealth' | 'rewardBank'>,
): Warning[] => {
  const warnings: Warning[] = []
  const { capabilityHealth, onboarding, rewardBank } = health
  if (capabilityHealth.blockchain === 'unhealthy')
    warnings.push(error('blockchain_unhealthy', 'The chain could not be read three times in a row.'))
  if (capabilityHealth.treasuryMutations === 'disabled')
    warnings.push(info('treasury_mutations_disabled', 'No operator key is configured: the API serves reads and sends no transactions.'))
  else if (capabilityHealth.blockchain === 'unhealthy')
    warnings.push(error('treasury_mutations_degraded', 'The operator cannot send transactions at the moment.'))
  if (findings.database.ok && rewardBank.stale)
    warnings.push(warn('blockchain_reward_bank_stale', 'The reward bank was not read recently.'))
  if (onboarding.reason !== null && findings.database.ok)
    warnings.push(warn(onboarding.reason, 'New agents may find too few jobs with a waived bond.'))
  return [
    ...warnings,
    ...indexerWarnings(deps, findings),
    ...batchWarnings(findings),
    ...pauseWarnings(findings),
    ...nonceWarnings(deps, findings),
    ...peopleWarnings(findings.snapshot),
    ...divergenceWarnings(findings.snapshot),
    ...auditWarnings(findings.snapshot),
    ...stoppedWarnings(findings),
    ...subsidyWarnings(deps, findings.snapshot),
    ...reviewWarnings(findings.snapshot),
    ...grantWarnings(findings.snapshot),
    ...lockWarnings(findings.snapshot),
    ...verificationWarnings(findings.snapshot?.needs ?? null),
  ]
}
