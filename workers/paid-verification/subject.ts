import { heartbeat, sleep } from '@temporalio/activity'
import { createChainClients } from '../../activities/chain/clients.ts'
import { createTransactions } from '../../activities/chain/journal/send.ts'
import { openChainNodes } from '../../activities/chain/node/nodes.ts'
import { startLoop } from '../../activities/common/loop.ts'
import { readPaymentTerms } from '../../activities/paid-verification/payment/chain.ts'
import { readFacilitator } from '../../activities/paid-verification/payment/facilitator.ts'
import { createMcpFailureProfile } from '../../activities/paid-verification/profiles/mcp-failure.ts'
import { createStructuredOutputProfile } from '../../activities/paid-verification/profiles/structured-output.ts'
import { createRunReceipts } from '../../activities/paid-verification/receipts.ts'
import { createMoveRun } from '../../activities/paid-verification/records.ts'
import { createRunSecrets } from '../../activities/paid-verification/secrets.ts'
import { createRunSteps } from '../../activities/paid-verification/steps.ts'
import { createRunWaker } from '../../activities/paid-verification/wake.ts'
import type { ProfileExecution } from '../../schemas/paid-verification/profiles/execution.ts'
import { RUNNER_PROFILES } from '../../schemas/paid-verification/runner.ts'
import type { WorkerDeps, WorkerSubject } from '../subjects.ts'
import { RUNNER_METRICS, startRunnerWatch } from './runner-watch.ts'
import { RUN_METRICS, startRunWatch } from './watch.ts'

const PERIOD_MS = 1_000

/** Executions of the profiles, by `name@version`. Programs of strangers run elsewhere: the worker has keys. */
const executionsOf = ({ fetches, runners }: Pick<WorkerDeps, 'fetches' | 'runners'>): Readonly<Record<string, ProfileExecution>> => {
  const fetch = fetches.callers
  return {
    'structured-output-evidence-v1@1': createStructuredOutputProfile({ fetch }),
    'mcp-failure-semantics-v1@1': createMcpFailureProfile({ fetch }),
    ...Object.fromEntries(RUNNER_PROFILES.map((profileRef) => [profileRef, runners.executionOf(profileRef)])),
  }
}

/** Steps of runs; none where the worker cannot take payments. */
const createSteps = (deps: WorkerDeps) => {
  const { settings, database, clock, observe, signers, stopping, logger, sign, publicBaseUrl, fetches } = deps
  const payment = readPaymentTerms(settings)
  const { VERIFICATION_SECRET: secret } = settings
  const facilitator = payment && readFacilitator(settings, { fetch: fetches.facilitator, terms: payment.terms })
  if (payment === null || secret === undefined || (signers.settler === undefined && facilitator === null)) return {}
  const clients = createChainClients(payment.file, openChainNodes(payment.file, settings, logger))
  const pause = async (milliseconds: number): Promise<void> => {
    heartbeat()
    await sleep(milliseconds)
  }
  const executions = executionsOf(deps)
  return createRunSteps({
    database,
    clock,
    clients,
    confirmations: payment.file.confirmations,
    transactions: createTransactions({ database, clients, signers, clock, observe, pause }),
    moveRun: createMoveRun(createRunReceipts({ sign, publicBaseUrl, assetSymbol: payment.terms.asset.symbol })),
    facilitator,
    executionOf: (profileRef) => executions[profileRef],
    secrets: createRunSecrets(secret),
    logger,
    heartbeat,
    stopping,
  })
}

/** The settler on its chain; null where a facilitator sends, or this worker has no key. */
const settlerOf = ({ settings, signers, signingChains }: Pick<WorkerDeps, 'settings' | 'signers' | 'signingChains'>) => {
  const clients = signingChains.find(({ roles }) => roles.includes('settler'))?.clients
  const isSent = signers.settler !== undefined && settings.VERIFICATION_FACILITATOR_URL === undefined
  return isSent && clients !== undefined && signers.settler !== undefined ? { address: signers.settler.address, clients } : null
}

export const subject = {
  activities: createSteps,
  metrics: { ...RUNNER_METRICS, ...RUN_METRICS },
  background: (deps) => {
    const onFailure = (error: unknown) => deps.logger.warn({ err: error }, 'runs of verification could not be started')
    const watches = [startRunnerWatch(deps), startRunWatch({ ...deps, settler: settlerOf(deps) })]
    return {
      loops: [startLoop({ round: createRunWaker(deps), every: PERIOD_MS, onFailure }), ...watches],
      readSamples: () => watches.flatMap(({ readSamples }) => readSamples()),
    }
  },
} satisfies WorkerSubject
