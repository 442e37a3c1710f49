import { AUDIT_CHECK_NAMES, AUDIT_CHECKS, type AuditCheckName } from '../../schemas/audit/checks.ts'
import type { AuditFinding, AuditReport, AuditResult } from '../../schemas/audit/record.ts'
import { readCursor } from '../chain/follower/cursor.ts'
import { assertChain } from '../chain/node/answers.ts'
import { checkAccountPositions } from './account-positions.ts'
import { checkAgentStatistics } from './agent-statistics.ts'
import {
  checkAgreements,
  checkCatalogueBudget,
  checkCatalogueCredit,
  checkDailyExposure,
  checkDelegateBudgets,
  checkFeeRaises,
  checkGasGrants,
  checkIdleRuns,
  checkLaneBudgets,
  checkLiveDelegates,
  checkLockCaps,
  checkOnboardingSubsidy,
  checkOpenDrafts,
  checkOpenExposure,
  checkOpenPullRequests,
  checkSourceCaps,
  checkUnpaidRuns,
  checkWaivers,
} from './caps.ts'
import { checkIngestedJobs } from './catalogue/ingested-jobs.ts'
import { checkRecurringTemplates } from './catalogue/recurring.ts'
import type { Audit, AuditDeps, Check } from './context.ts'
import { checkDeliveries } from './deliveries.ts'
import { checkBadges } from './documents/badges.ts'
import { checkDisputeFiles } from './documents/dispute-files.ts'
import { checkReceipts } from './documents/receipts.ts'
import { checkRunReceipts } from './documents/run-receipts.ts'
import { checkJournal, checkSignerNonces } from './journal.ts'
import { checkCapturedRuns } from './payments/captured-runs.ts'
import { checkPostedClaims } from './postings/claims.ts'
import { checkFundingReceipts } from './postings/receipts.ts'
import { checkPostings } from './postings/records.ts'
import { checkRecordedEvents } from './recorded-events.ts'
import { checkReputation } from './reputation.ts'
import { checkCrossChain } from './savings/cross-chain.ts'
import { checkIdleMovements } from './savings/idle-movements.ts'
import { checkLockedDeposits } from './savings/locked-deposits.ts'
import { checkCreditPool, checkDepositPool, checkLoans, checkPledges } from './savings/pools.ts'
import { checkVesting } from './savings/vesting.ts'
import { checkSessionLog } from './session-log.ts'
import { checkSessions } from './sessions.ts'
import { checkWebhooks } from './webhooks.ts'

/** Newest blocks whose events are compared with the node: a day and more at six seconds a block. */
const BLOCKS = 20_000
/** Findings of a check that the report shows. */
const MAX_EXAMPLES = 20
export const CHAIN_CHANGED = 'the chain changed during the audit'

/** The function of each check. */
const CHECKS: Readonly<Record<AuditCheckName, Check>> = {
  account_positions: checkAccountPositions,
  deposit_pool: checkDepositPool,
  credit_pool: checkCreditPool,
  loans: checkLoans,
  pledges: checkPledges,
  journal: checkJournal,
  signer_nonces: checkSignerNonces,
  chain_events: checkRecordedEvents,
  sessions: checkSessions,
  session_log: checkSessionLog,
  reputation: checkReputation,
  agent_statistics: checkAgentStatistics,
  badges: checkBadges,
  receipts: checkReceipts,
  dispute_files: checkDisputeFiles,
  postings: checkPostings,
  funding_receipts: checkFundingReceipts,
  run_receipts: checkRunReceipts,
  captured_runs: checkCapturedRuns,
  posted_claims: checkPostedClaims,
  vesting: checkVesting,
  locked_deposits: checkLockedDeposits,
  idle_movements: checkIdleMovements,
  cross_chain: checkCrossChain,
  webhooks: checkWebhooks,
  deliveries: checkDeliveries,
  open_exposure: checkOpenExposure,
  catalogue_credit: checkCatalogueCredit,
  daily_exposure: checkDailyExposure,
  catalogue_budget: checkCatalogueBudget,
  onboarding_subsidy: checkOnboardingSubsidy,
  delegate_budgets: checkDelegateBudgets,
  waivers: checkWaivers,
  lane_budgets: checkLaneBudgets,
  ingested_jobs: checkIngestedJobs,
  source_caps: checkSourceCaps,
  gas_grants: checkGasGrants,
  fee_raises: checkFeeRaises,
  lock_caps: checkLockCaps,
  idle_runs: checkIdleRuns,
  live_delegates: checkLiveDelegates,
  open_pull_requests: checkOpenPullRequests,
  agreements: checkAgreements,
  open_drafts: checkOpenDrafts,
  recurring_templates: checkRecurringTemplates,
  unpaid_runs: checkUnpaidRuns,
}

/** First line of a failure's message. */
export const firstLine = (error: unknown): string => (error instanceof Error ? (error.message.split('\n')[0] ?? error.name) : String(error))

const unread = (check: AuditCheckName, reason: string, durationMs = 0): AuditResult => ({
  check,
  outcome: 'unread',
  findings: 0,
  examples: [],
  reason,
  durationMs,
})

/** Runs one check. */
export const runCheck = async (check: AuditCheckName, audit: Audit, gapBlock: bigint | null): Promise<AuditResult> => {
  if (gapBlock !== null && AUDIT_CHECKS[check].needsEvents) return unread(check, `the records lack events of block ${gapBlock}`)
  const begin = performance.now()
  const examples: AuditFinding[] = []
  let findings = 0
  const durationMs = () => Math.round(performance.now() - begin)
  try {
    await CHECKS[check](audit, (finding) => {
      findings += 1
      if (examples.length < MAX_EXAMPLES) examples.push(finding)
    })
    return { check, outcome: findings === 0 ? 'passed' : 'failed', findings, examples, reason: null, durationMs: durationMs() }
  } catch (error) {
    return unread(check, firstLine(error), durationMs())
  }
}

/** Whether the chain still has the block of the audit. */
export const isPinned = async ({ client, block }: Audit): Promise<boolean> =>
  (await client.getBlock({ blockNumber: block.number })).hash === block.hash

/**
 * Runs every check once. The state of the chain is that of the newest recorded block; if the chain replaces it meanwhile, findings count as
 * unread.
 */
export const runAudit = async ({ blocks = BLOCKS, ...deps }: AuditDeps): Promise<AuditReport> => {
  const { database, chain, client } = deps
  const cursor = await readCursor(database.rows, chain.chainId)
  if (cursor === null) return { block: null, results: AUDIT_CHECK_NAMES.map((name) => unread(name, 'no block of the chain is recorded')) }
  const audit: Audit = { ...deps, blocks, rows: database.rows, block: { number: cursor.number, hash: cursor.hash } }
  const wrongChain = await assertChain(client, chain.chainId).then(() => null, firstLine)
  const results: AuditResult[] = []
  for (const name of AUDIT_CHECK_NAMES)
    results.push(wrongChain === null ? await runCheck(name, audit, cursor.gapBlock) : unread(name, wrongChain))
  const stays = await isPinned(audit).catch(() => false)
  return {
    block: cursor.number.toString(),
    results: results.map((result) => (result.outcome === 'failed' && !stays ? unread(result.check, CHAIN_CHANGED) : result)),
  }
}
