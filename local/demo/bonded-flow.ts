import { conclude, deposit, describeDecided, firstToWin, money, type Outcome, type Place, showBalances } from './place.ts'
import { awaitVerdict, createWorker, type Preflight, type Row, submitSolution, type Worker } from './worker.ts'

const DECIDED_BY_MACHINE = ['benchmark', 'deterministic']

const suits = ({ waiverEligible, verifierMode }: Row): boolean => !waiverEligible && DECIDED_BY_MACHINE.includes(verifierMode)

const shortfallOf = ({ claimFundingShortfallRaw }: Preflight): bigint => {
  if (claimFundingShortfallRaw === null) throw new Error('preflight could not read the bond from the chain')
  return claimFundingShortfallRaw
}

const fundBond = async (place: Place, worker: Worker, bondRaw: bigint): Promise<void> => {
  const { report, chain } = place
  await report.step(
    'get test money and gas from the local faucet',
    () => chain.fund(worker.account.address, bondRaw),
    () => `${money(place, bondRaw)} in the wallet`,
  )
  await report.step(
    'deposit with unsigned templates',
    () => deposit(place, worker, bondRaw),
    (steps) => `signed and sent: ${steps.join(', ')}`,
  )
}

const claimWithBond = async (place: Place, worker: Worker, jobId: string) => {
  const session = await place.report.step(
    'claim-selected-job',
    () => worker.client.claimJob({ jobId }),
    ({ claimStakeRaw, claimFeeRaw }) => `locked: stake ${money(place, claimStakeRaw)}, fee ${money(place, claimFeeRaw)}`,
  )
  return { session, locked: await place.chain.standingOf(worker.account.address) }
}

const claimBonded = (place: Place, worker: Worker) => async (select: () => Promise<Row>) => {
  const { report, chain } = place
  const job = await report.step('select a job whose bond is not waived', select, ({ id, reward }) => `${id}, ${reward}`)
  const refused = await report.step(
    'run-preflight-on-selected-job',
    () => worker.client.preflightJob({ jobId: job.id }),
    ({ reason, claimFundingShortfall, claimFundingAsset }) => `${reason}: ${claimFundingShortfall} ${claimFundingAsset} short`,
  )
  const shortfallRaw = shortfallOf(refused)
  if (shortfallRaw > 0n) await fundBond(place, worker, shortfallRaw)
  const preflight = await report.step(
    'run-preflight again',
    () => worker.client.preflightJob({ jobId: job.id }),
    ({ eligible, reason, netReward }) => (eligible ? `eligible, ${netReward} ${place.asset.symbol} net of gas` : reason),
  )
  const before = await chain.standingOf(worker.account.address)
  const { session, locked } = await claimWithBond(place, worker, job.id)
  return { preflight, before, session, locked }
}

/** A claim with a bond by an agent with an empty account: the bond is deposited, locked at the claim and returned with the payout. */
export const bondedFlow = async (place: Place): Promise<Outcome> => {
  const { report } = place
  const worker = createWorker(place.base)
  await report.step(
    'sign-in-with-ethereum',
    () => worker.client.signIn(),
    () => `${worker.account.address}, an empty account`,
  )
  const { preflight, before, session, locked } = await firstToWin(place, { worker, suits, attempt: claimBonded(place, worker) })
  await report.step(
    'submit-structured-work',
    () => submitSolution(worker, session),
    ({ status }) => status,
  )
  await report.step('poll-verification-status', () => awaitVerdict(worker, session.sessionId), describeDecided)
  const outcome = await conclude(place, { worker, preflight, session, before, locked })
  showBalances(place, [
    ['deposited', before],
    ['while claimed', locked],
    ['after', outcome.after],
  ])
  return outcome
}
