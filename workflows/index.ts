export { claimSession } from './claim-session.ts'
export { verifierRun } from './verifier-run.ts'
