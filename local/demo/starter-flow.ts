import type { Answer } from '../../client/src/types.ts'
import { conclude, describeDecided, firstToWin, type Outcome, type Place, showBalances } from './place.ts'
import { type Agent, awaitVerdict, createWorker, type Preflight, type Row, submitSolution, type Worker } from './worker.ts'

const describeTiers = ({ tiers }: Answer<'getJobTiers'>): string =>
  tiers.map(({ tier, requires }) => `${tier} from ${requires.skill}`).join(', ')

const describePreflight = ({ eligible, reason, totalClaimLock, claimFundingAsset }: Preflight): string =>
  `${eligible ? 'eligible' : `not eligible: ${reason}`}, bond ${totalClaimLock} ${claimFundingAsset} (waived)`

const claimWaived = (place: Place, worker: Agent) => async (select: () => Promise<Row>) => {
  const { report } = place
  const job = await report.step('select-first-waiver-eligible-claimable-job', select, ({ id, reward }) => `${id}, ${reward}`)
  const preflight = await report.step(
    'run-preflight-on-selected-job',
    () => worker.client.preflightJob({ jobId: job.id }),
    describePreflight,
  )
  const session = await report.step(
    'claim-selected-job',
    () => worker.client.claimJob({ jobId: job.id }),
    ({ claimExpiresAt }) => `claimed until ${claimExpiresAt}`,
  )
  return { preflight, session }
}

/** The nine steps of the starter flow, over HTTP alone. Source: specification, "Worker flow". */
export const starterFlow = async (place: Place, worker: Worker = createWorker(place.base)): Promise<Outcome> => {
  const { report } = place
  const { client } = worker

  await report.step('discover-tiers', () => client.getJobTiers(), describeTiers)
  await report.step(
    'sign-in-with-ethereum',
    () => client.signIn(),
    ({ expiresAt }) => `${worker.account.address}, token until ${expiresAt}`,
  )
  await report.step(
    'fetch-account-summary',
    () => client.getAccount(),
    ({ liquid }) => `liquid ${liquid[place.asset.symbol]?.display ?? '0'} ${place.asset.symbol}`,
  )
  return waivedFlow(place, worker)
}

/** The steps of the starter flow from the choice of a job on, for an agent that is signed in. */
export const waivedFlow = async (place: Place, worker: Agent): Promise<Outcome> => {
  const { report, chain } = place
  const before = await chain.standingOf(worker.account.address)
  const { preflight, session } = await firstToWin(place, {
    worker,
    suits: (job) => job.waiverEligible,
    attempt: claimWaived(place, worker),
  })
  const locked = await chain.standingOf(worker.account.address)
  await report.step(
    'submit-structured-work',
    () => submitSolution(worker, session),
    ({ status, evidenceHash }) => `${status}, evidence ${evidenceHash}`,
  )
  await report.step('poll-verification-status', () => awaitVerdict(worker, session.sessionId), describeDecided)
  const outcome = await conclude(place, { worker, preflight, session, before, locked })
  showBalances(place, [
    ['before', before],
    ['after', outcome.after],
  ])
  return outcome
}
