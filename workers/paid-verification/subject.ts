import { heartbeat, sleep } from '@temporalio/activity'
import { createChainClients, createLoggedBatchLimit } from '../../activities/chain/clients.ts'
import { createTransactions } from '../../activities/chain/journal/send.ts'
import { startLoop } from '../../activities/common/loop.ts'
import { readPaymentTerms } from '../../activities/paid-verification/payment/chain.ts'
import { readFacilitator } from '../../activities/paid-verification/payment/facilitator.ts'
import { createArtefactFetch } from '../../activities/paid-verification/profiles/artefacts.ts'
import { createGitPatchExecution } from '../../activities/paid-verification/profiles/git-patch/execution.ts'
import { createMcpFailureProfile } from '../../activities/paid-verification/profiles/mcp-failure.ts'
import { createStructuredOutputProfile } from '../../activities/paid-verification/profiles/structured-output.ts'
import { createRunSecrets } from '../../activities/paid-verification/secrets.ts'
import { createRunSteps } from '../../activities/paid-verification/steps.ts'
import { createRunWaker } from '../../activities/paid-verification/wake.ts'
import { createSandbox } from '../../activities/sandbox/probe.ts'
import type { ProfileExecution } from '../../schemas/paid-verification/profiles/execution.ts'
import type { WorkerDeps, WorkerSubject } from '../subjects.ts'
import { RUN_METRICS, startRunWatch } from './watch.ts'

const PERIOD_MS = 1_000

/** Executions of the profiles, by `name@version`. */
const executionsOf = ({ fetches }: Pick<WorkerDeps, 'fetches'>): Readonly<Record<string, ProfileExecution>> => {
  const fetch = fetches.callers
  return {
    'structured-output-evidence-v1@1': createStructuredOutputProfile({ fetch }),
    'mcp-failure-semantics-v1@1': createMcpFailureProfile({ fetch }),
    'git-patch-tests-v1@1': createGitPatchExecution({ sandbox: createSandbox(), fetchArtefact: createArtefactFetch(fetch) }),
  }
}

/** Steps of runs; none where the worker cannot take payments. */
const createSteps = (deps: WorkerDeps) => {
  const { settings, database, clock, observe, signers, stopping, logger, fetches } = deps
  const payment = readPaymentTerms(settings)
  const { VERIFICATION_SECRET: secret } = settings
  const facilitator = payment && readFacilitator(settings, { fetch: fetches.facilitator, terms: payment.terms })
  if (payment === null || secret === undefined || (signers.settler === undefined && facilitator === null)) return {}
  const clients = createChainClients(payment.file, createLoggedBatchLimit(settings, logger))
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
    facilitator,
    executionOf: (profileRef) => executions[profileRef],
    secrets: createRunSecrets(secret),
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
  metrics: RUN_METRICS,
  background: (deps) => {
    const onFailure = (error: unknown) => deps.logger.warn({ err: error }, 'runs of verification could not be started')
    const watch = startRunWatch({ ...deps, settler: settlerOf(deps) })
    return { loops: [startLoop({ round: createRunWaker(deps), every: PERIOD_MS, onFailure }), watch], readSamples: watch.readSamples }
  },
} satisfies WorkerSubject
