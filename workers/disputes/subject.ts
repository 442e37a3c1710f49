import { createDeliveryTracking } from '../../activities/deliveries/track.ts'
import { rejectionRecorder } from '../../activities/disputes/chain-recorder.ts'
import { createDisputeDecisions } from '../../activities/disputes/decisions.ts'
import { createDisputeFiles } from '../../activities/disputes/file.ts'
import { createDisputeProofs } from '../../activities/disputes/proof.ts'
import { resolveDisputeTransaction } from '../../activities/disputes/signatures.ts'
import { createDisputeStanding } from '../../activities/disputes/status.ts'
import { createDisputeSteps } from '../../activities/disputes/steps/chain-steps.ts'
import { disputeSubscriber } from '../../activities/disputes/subscriber.ts'
import { createSettlementSteps } from '../../activities/settlement/chain-steps.ts'
import type { ClaimOutcomeActivities, ClaimSettlementActivities } from '../../schemas/claims/process.ts'
import type { DisputeChainActivities, DisputeProofActivities, DisputeRecordActivities } from '../../schemas/disputes/process.ts'
import type { WorkerSubject } from '../subjects.ts'

/** The steps of a settlement are among them, because a settlement writes the files of disputes and begins to track deliveries. */
type Activities = DisputeChainActivities &
  DisputeProofActivities &
  DisputeRecordActivities &
  ClaimSettlementActivities &
  ClaimOutcomeActivities

export const subject = {
  activities: (deps): Activities => {
    const { signers, reads, chain, publicBaseUrl, logger } = deps
    const arbitrator = signers.arbitrator?.address.toLowerCase() ?? null
    const prepare = resolveDisputeTransaction({ chain, escrow: reads.escrowAddress, publicBaseUrl })
    const settlement = {
      ...deps,
      reads: deps.readsAfterCursor,
      writeDisputeFile: createDisputeFiles(deps),
      trackDelivery: createDeliveryTracking(deps),
    }
    return {
      ...createSettlementSteps(settlement),
      ...createDisputeSteps({ ...settlement, arbitrator, prepare }),
      ...createDisputeProofs({ ...deps, arbitrator }),
      ...createDisputeDecisions({ ...deps, arbitrator, prepare }),
      ...createDisputeStanding({ ...deps, arbitrator, alarm: (waiting) => logger.warn(waiting, 'a dispute waits for people') }),
    }
  },
  subscriber: disputeSubscriber,
  recorder: rejectionRecorder,
} satisfies WorkerSubject
