import { buyAVerification } from './buy-a-verification.ts'
import { dispute } from './dispute.ts'
import { firstBadge } from './first-badge.ts'
import type { Guide, GuidePlace } from './guide.ts'
import { ownBond } from './own-bond.ts'
import { postAJob } from './post-a-job.ts'
import { runIt } from './run-it.ts'
import { saveBorrowComeHome } from './save-borrow-come-home.ts'
import { toolClient } from './tool-client.ts'
import { verifyARecord } from './verify-a-record.ts'

/** Every guide, in the order in which a newcomer reads them. */
const GUIDES = [firstBadge, toolClient, ownBond, saveBorrowComeHome, postAJob, dispute, verifyARecord, buyAVerification, runIt] as const

/** Every guide with the address and the asset of this service. */
export const guidesOf = (place: GuidePlace): readonly Guide[] => GUIDES.map((write) => write(place))
