import { knownValue } from '../../common/fact.ts'
import { iso, secondsUntil } from '../../common/instants.ts'
import type { RoleGate, TierGate } from '../../reputation/tiers.ts'
import type { Assessment } from '../assessment.ts'
import { priorityWindowView } from '../priority-window.ts'
import { type Blocker, blocker, waitUntil } from './blocker.ts'

/** Refuses a native account that cannot receive earnings: it is not mapped, or its mapping is unreadable. */
export const earningIdentityGate = ({ facts }: Assessment): Blocker | null => {
  const identity = knownValue(facts.identity)
  if (identity === undefined || identity.mapped) return null
  const { code, details, nextActions } = identity.refusal
  return blocker('earning_identity', code, { details, nextActions })
}

const gateDetails = (jobId: string, { requires, has, missing }: TierGate | RoleGate) => ({ jobId, requires, has, missing })

/** Refuses a wallet without the skill for the job's claim tier. */
export const tierGate = ({ facts, tierGate: gate }: Assessment): Blocker | null =>
  gate === null || gate.unlocked || facts.wallet === null
    ? null
    : blocker('tier', 'tier_locked', { details: { tier: gate.tier, ...gateDetails(facts.job.id, gate) } })

/** Refuses a wallet without the skill for the job's role. */
export const roleGate = ({ facts, roleGate: gate }: Assessment): Blocker | null =>
  gate === null || gate.unlocked || facts.wallet === null
    ? null
    : blocker('role', 'role_locked', { details: { role: gate.role, ...gateDetails(facts.job.id, gate) } })

/** Refuses other wallets during the head start of qualifying ones; passes where the claim state refuses already. */
export const priorityGate = ({ facts, policy, priority, claimState }: Assessment): Blocker | null => {
  if (!claimState.openToWallet || facts.wallet === null || !priority.blocked || priority.openAt === null) return null
  const openAt = iso(priority.openAt)
  return blocker('priority_window', 'priority_window_active', {
    retryAfterSeconds: secondsUntil(priority.openAt, facts.now),
    details: { openAt, priorityWindow: priorityWindowView(facts.job, policy.priority), qualification: priority.view },
    nextActions: [waitUntil(openAt, 'Claim when the window opens to everyone.')],
  })
}

/** Refuses a wallet that was paid for the same source revision, or whose payment history is unreadable. */
export const paidSourceGate = ({ facts }: Assessment): Blocker | null => {
  if (facts.paidSource === 'unreadable') return blocker('paid_source', 'source_payment_history_unavailable')
  const paid = knownValue(facts.paidSource)
  return paid ? blocker('paid_source', 'source_already_paid', { details: { ...paid } }) : null
}
