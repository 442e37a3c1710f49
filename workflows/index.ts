export { chainFollower } from './chain-follower.ts'
export { claimSession } from './claim-session.ts'
export { dispute } from './dispute.ts'
export { verifierRun } from './verifier-run.ts'
