import { sql } from 'kysely'
import type { Hex } from 'viem'
import { keccakOf } from '../../../domain/common/hashes.ts'
import { iso, isoOrNull, plusSeconds } from '../../../domain/common/instants.ts'
import { covers, EXIT_DELAY_SECONDS, type Lock, lockAt, sumOf, termEnd } from '../../../domain/locked-deposits/lock.ts'
import { TIER_TERMS } from '../../../domain/locked-deposits/tiers.ts'
import { agentAccountCoreAbi } from '../../chain/abi/agent-account-core.ts'
import { signerOf } from '../../consents/records.ts'
import { type AddFinding, type Audit, type Check, mapPages, PAGE, readPages, SETTLING_MS } from '../context.ts'

const listLocks = ({ rows }: Audit, after: string) =>
  rows
    .selectFrom('locked_deposit')
    .innerJoin('consent', 'consent.termsHash', 'locked_deposit.id')
    .selectAll('locked_deposit')
    .select(['consent.terms', 'consent.message', 'consent.signature', 'consent.storedAt'])
    .where('locked_deposit.id', '>', after)
    .orderBy('locked_deposit.id')
    .limit(PAGE)
    .execute()

type ConsentedLock = Awaited<ReturnType<typeof listLocks>>[number]

/** How a lock ended, and when. */
const recordedEnd = ({ status, releaseReason, releaseAt, releasedAt }: Lock) => ({
  status,
  releaseReason,
  releaseAt: isoOrNull(releaseAt),
  releasedAt: isoOrNull(releasedAt),
})

/** The end that fits the instants of a lock: 48 hours after its exit, or the end of its term. */
const fittingEnd = ({ status, expiresAt, exitRequestedAt }: Lock, now: number) => {
  const releaseAt = exitRequestedAt === null ? null : plusSeconds(exitRequestedAt, EXIT_DELAY_SECONDS)
  const end = releaseAt ?? expiresAt
  const waiting = { status, releaseReason: null, releaseAt: isoOrNull(releaseAt), releasedAt: null }
  if (status !== 'released') return waiting
  if (end > now) return { ...waiting, status: releaseAt === null ? 'active' : 'exiting' }
  return { ...waiting, releaseReason: releaseAt === null ? 'term_completed' : 'early_exit_vesting_completed', releasedAt: iso(end) }
}

/** What a lock must be by its consent and its own instants, and what it is. */
const comparedWithConsent = async (rows: Audit['rows'], lock: ConsentedLock, now: number) => {
  const { id, wallet, tier, amountRaw, lockedAt, termDays, expiresAt, terms, message, signature, storedAt } = lock
  const days = TIER_TERMS[tier].termDays
  const expected = {
    id: keccakOf(terms),
    isSigned: true,
    signer: wallet,
    tier: terms.tier,
    amountRaw: terms.amountRaw,
    termDays: days,
    lockedAt: iso(storedAt),
    expiresAt: iso(termEnd(lockedAt, days)),
    ...fittingEnd(lock, now),
  }
  const found = {
    id,
    isSigned: message.includes(id),
    signer: await signerOf(rows, wallet, message, signature),
    tier,
    amountRaw: amountRaw.toString(),
    termDays,
    lockedAt: iso(lockedAt),
    expiresAt: iso(expiresAt),
    ...recordedEnd(lock),
  }
  return { expected: JSON.stringify(expected), found: JSON.stringify(found) }
}

/** Active locks that their wallet's balance at the block of the audit does not cover. */
const checkCovered = async (audit: Audit, wallet: string, locks: readonly Lock[], add: AddFinding): Promise<void> => {
  const { client, chain, block } = audit
  const [liquid, , strategyAllocated] = await client.readContract({
    address: chain.contracts.agentAccount.address,
    abi: agentAccountCoreAbi,
    functionName: 'positions',
    args: [wallet as Hex, chain.asset.address],
    blockNumber: block.number,
  })
  const lockedRaw = sumOf(locks)
  if (covers({ liquid, strategyAllocated }, lockedRaw)) return
  const subject = `locked deposits of wallet ${wallet} at block ${block.number}`
  add({ subject, expected: `at least ${lockedRaw} liquid or allocated, or all exiting`, found: `${liquid + strategyAllocated}` })
}

/** Signed consents without a lock, and locks without a consent. */
const checkCounterparts = async ({ rows }: Audit, add: AddFinding): Promise<void> => {
  const found = await sql<{ id: string; wallet: string; found: string }>`
    select c.terms_hash as id, c.wallet, 'a consent alone' as found from consent c
    where c.kind = 'locked_tier_consent_v1' and not exists (select 1 from locked_deposit l where l.id = c.terms_hash)
    union all
    select l.id, l.wallet, 'a lock alone' from locked_deposit l where not exists (select 1 from consent c where c.terms_hash = l.id)`.execute(
    rows,
  )
  for (const { id, wallet, found: what } of found.rows)
    add({ subject: `locked deposit ${id} of wallet ${wallet}`, expected: 'a consent and a lock', found: what })
}

/** Compares every lock with its consent, and the active ones with the balance under them. */
export const checkLockedDeposits: Check = async (audit, add) => {
  const now = audit.now()
  await checkCounterparts(audit, add)
  const bound = new Map<string, Lock[]>()
  for await (const page of readPages<ConsentedLock>((last) => listLocks(audit, last?.id ?? '')))
    for (const lock of page) {
      const { expected, found } = await comparedWithConsent(audit.rows, lock, now)
      if (found !== expected) add({ subject: `locked deposit ${lock.id} of wallet ${lock.wallet}`, expected, found })
      if (lockAt(lock, now).status !== 'released') bound.set(lock.wallet, [...(bound.get(lock.wallet) ?? []), lock])
    }
  // A lock that is just made stands on a balance that the block of the audit may not have.
  const isSettled = (lock: Lock) => lockAt(lock, now).status === 'active' && now - lock.lockedAt > SETTLING_MS
  const active = [...bound].filter(([, locks]) => locks.some(isSettled))
  await mapPages(active, ([wallet, locks]) => checkCovered(audit, wallet, locks, add))
}
