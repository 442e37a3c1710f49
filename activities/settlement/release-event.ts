import { iso } from '../../domain/common/instants.ts'
import { assetAmount } from '../../domain/common/money.ts'
import { bondRaw } from '../../domain/sessions/economics-view.ts'
import type { releaseActionOf } from '../../domain/settlement/award.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { Rows } from '../database/database.ts'
import { emit, sessionSubject } from '../events/outbox.ts'
import type { DisputePeriod } from '../sessions/dispute.ts'

interface Release {
  action: ReturnType<typeof releaseActionOf>
  txHash: string
  blockNumber?: bigint
  /** Time of the block and service time, epoch ms. */
  at: number
  recordedAt: number
}

/** Emits what happened to the worker's bond. `dispute` is the one that decided it, or null. Source: lifecycle 1.4. */
export const announceRelease = (
  rows: Rows,
  { sessionId, wallet, jobId, chainJobId, economics }: SessionRecord,
  { action, ...place }: Release,
  dispute: DisputePeriod | null,
): Promise<void> =>
  emit(rows, {
    ...place,
    ...sessionSubject({ wallet, jobId, sessionId }),
    topic: 'settlement.stake_release_recorded',
    data: {
      ...(dispute !== null && {
        disputeId: dispute.disputeId,
        openedAt: iso(dispute.openedAt),
        windowEndsAt: iso(dispute.deadlineAt),
      }),
      jobId,
      chainJobId,
      amount: assetAmount(bondRaw(economics), economics.asset),
      action,
      chainStatus: 'confirmed',
    },
  })
