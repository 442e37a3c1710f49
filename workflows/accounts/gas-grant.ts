import { ApplicationFailureCategory } from '@temporalio/common'
import { ApplicationFailure, proxyActivities, setCurrentDetails } from '@temporalio/workflow'
import { type GasGrantActivities, type GasGrantInput, UNSENT_CODES } from '../../schemas/accounts/process.ts'
import { applicationFailureOf, failureCode } from '../common/failures.ts'
import { CHAIN_STEPS } from '../common/proxies.ts'
import { pinToVersion } from '../common/versions.ts'

const chain = proxyActivities<GasGrantActivities>(CHAIN_STEPS)

/** What follows a transfer that failed with a code: one that was not sent keeps its reservation. */
const afterFailure = (code: string): string =>
  UNSENT_CODES.includes(code) ? 'Nothing was sent; a later request sends it.' : 'The wallet gets no other one.'

/**
 * Sends the gas of a wallet's first withdrawal, once in its lifetime. A refusal sends nothing and fails the run, so that a later withdrawal may
 * ask again; a run that sent the transfer is never repeated.
 */
export async function gasGrant(input: GasGrantInput): Promise<{ txHash: string }> {
  const { wallet } = input
  setCurrentDetails('Waits for the chain and a place in the UTC day.')
  const reservation = await chain.reserveGasGrant(input)
  if (reservation.kind === 'refused') {
    const { reason } = reservation
    setCurrentDetails(`Refused: ${reason}. Nothing was sent.`)
    throw ApplicationFailure.create({
      type: reason,
      message: 'no gas grant now',
      nonRetryable: true,
      category: ApplicationFailureCategory.BENIGN,
    })
  }
  setCurrentDetails('Reserved. Waits for the transfer to be mined.')
  try {
    const { txHash } = await chain.sendGasGrant({ wallet })
    setCurrentDetails(`Granted by transaction ${txHash}.`)
    return { txHash }
  } catch (error) {
    const failure = applicationFailureOf(error)
    setCurrentDetails(`No grant: ${failure?.message ?? failureCode(error)} ${afterFailure(failureCode(error))}`)
    throw error
  }
}
pinToVersion(gasGrant)
