import { expect, test } from '@jest/globals'
import { checkAgentStatistics } from '../../../activities/audit/agent-statistics.ts'
import type { Audit } from '../../../activities/audit/context.ts'
import { appendReputation } from '../../../activities/reputation/ledger.ts'
import type { AuditFinding } from '../../../schemas/audit/record.ts'
import { addSession, approvedAt } from '../../api/support/work-rows.ts'
import { endWithReceipt } from '../../support/records/receipt-rows.ts'
import { useOwnDatabase } from '../support/own-database.ts'

const own = useOwnDatabase()

const walletOf = (index: number) => `0x${index.toString(16).padStart(40, '0')}` as const
const findings = async () => {
  const found: unknown[] = []
  await checkAgentStatistics({ rows: own.rows() } as Audit, async (finding: Omit<AuditFinding, 'check'>) => found.push(finding))
  return found
}

/** A generator of the numbers 0 to 1 that a seed decides. */
const random = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed / 2_147_483_648
}

const AT = Date.UTC(2026, 0, 10)
const ENDS = [
  (at: number) => approvedAt(at),
  (at: number) => ({ status: 'rejected', rejectedAt: at, rejectionFinalizedAt: at }),
  (at: number) => ({ status: 'closed', closedAt: at }),
  (at: number) => ({ status: 'expired', expiredAt: at }),
]

test('the row of a wallet is the sum of its sessions and scores after any history, also when writers run side by side', async () => {
  const next = random(20_261_126)
  const pick = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T
  const play = async (index: number): Promise<void> => {
    const wallet = walletOf(1 + (index % 5))
    const at = AT + index * 60_000
    const sessionId = await addSession(own.database(), wallet, `stat-${index}`, at)
    await own
      .rows()
      .updateTable('session')
      .set({ status: 'submitted', submittedAt: at + 1_000 })
      .where('sessionId', '=', sessionId)
      .execute()
    const end = pick([...ENDS, null])
    if (end === null) return
    const changes = end(at + 2_000)
    if ('workReceiptId' in changes || changes.status === 'resolved' || 'rejectionFinalizedAt' in changes)
      await endWithReceipt(own.database(), sessionId, changes)
    else await own.rows().updateTable('session').set(changes).where('sessionId', '=', sessionId).execute()
    const kind = changes.status === 'resolved' ? 'approval_level_1' : changes.status === 'rejected' ? 'rejection_final' : null
    if (kind === null) return
    const reward = { rewardRaw: 2_000_000n, decimals: 6 }
    await own.database().transaction((rows) => appendReputation(rows, { wallet, sessionId, kind, reward, at }))
  }
  for (let batch = 0; batch < 12; batch += 1) await Promise.all(Array.from({ length: 10 }, (_, index) => play(batch * 10 + index)))
  expect(await findings()).toEqual([])
  const all = await own.rows().selectFrom('agent_statistics').selectAll().orderBy('wallet').execute()
  expect(all).toHaveLength(5)
  expect(all.reduce((sum, { sessions }) => sum + sessions, 0)).toBe(120)
  for (const row of all) {
    expect(row.score).toBe(BigInt(row.skill + row.reliability) + row.economic)
    expect(row.firstActiveAt).toBeLessThan(row.lastActiveAt ?? 0)
  }
})

test('the audit names a wallet whose row was altered', async () => {
  await own.rows().updateTable('agent_statistics').set({ approved: 99 }).where('wallet', '=', walletOf(1)).execute()
  expect(await findings()).toEqual([expect.objectContaining({ subject: `statistics of wallet ${walletOf(1)}` })])
})
