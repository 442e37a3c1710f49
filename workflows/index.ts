export { chainFollower } from './chain/chain-follower.ts'
export { claimSession } from './claims/claim-session.ts'
export { dispute } from './disputes/dispute.ts'
export { verifierRun } from './verification/verifier-run.ts'
