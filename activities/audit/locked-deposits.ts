import { type Hex, recoverMessageAddress } from 'viem'
import { keccakOf } from '../../domain/common/hashes.ts'
import { iso } from '../../domain/common/instants.ts'
import { covers, type Lock, lockAt, sumOf, termEnd } from '../../domain/locked-deposits/lock.ts'
import { TIER_TERMS } from '../../domain/locked-deposits/tiers.ts'
import { agentAccountCoreAbi } from '../chain/abi/agent-account-core.ts'
import { type AddFinding, type Audit, type Check, mapPages, PAGE } from './context.ts'

const listLocks = ({ rows }: Audit, after: string) =>
  rows
    .selectFrom('locked_deposit')
    .innerJoin('consent', 'consent.termsHash', 'locked_deposit.id')
    .selectAll('locked_deposit')
    .select(['consent.terms', 'consent.message', 'consent.signature', 'consent.wallet as signer'])
    .where('locked_deposit.id', '>', after)
    .orderBy('locked_deposit.id')
    .limit(PAGE)
    .execute()

type ConsentedLock = Awaited<ReturnType<typeof listLocks>>[number]

const recover = (message: string, signature: string): Promise<string | null> =>
  recoverMessageAddress({ message, signature: signature as Hex }).then(
    (address) => address.toLowerCase(),
    () => null,
  )

/** What a lock must be by its consent, and what it is. */
const comparedWithConsent = async (lock: ConsentedLock) => {
  const { id, wallet, tier, amountRaw, lockedAt, termDays, expiresAt, terms, message, signature } = lock
  const days = TIER_TERMS[tier].termDays
  const expected = [keccakOf(terms), wallet, terms.tier, terms.amountRaw, days, iso(termEnd(lockedAt, days)), true]
  const found = [id, await recover(message, signature), tier, amountRaw.toString(), termDays, iso(expiresAt), message.includes(id)]
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

/** Compares every lock with its consent, and the active ones with the balance under them. */
export const checkLockedDeposits: Check = async (audit, add) => {
  const now = audit.now()
  const bound = new Map<string, Lock[]>()
  let after = ''
  for (let page = await listLocks(audit, after); page.length > 0; page = await listLocks(audit, after)) {
    for (const lock of page) {
      const { expected, found } = await comparedWithConsent(lock)
      if (found !== expected) add({ subject: `locked deposit ${lock.id} of wallet ${lock.wallet}`, expected, found })
      if (lockAt(lock, now).status !== 'released') bound.set(lock.wallet, [...(bound.get(lock.wallet) ?? []), lock])
    }
    after = page.at(-1)?.id ?? after
  }
  const active = [...bound].filter(([, locks]) => locks.some((lock) => lockAt(lock, now).status === 'active'))
  await mapPages(active, ([wallet, locks]) => checkCovered(audit, wallet, locks, add))
}
