import { cancellationSignal, heartbeat } from '@temporalio/activity'
import type { Database } from '../../activities/database/database.ts'
import { findContract } from '../../activities/postings/contracts.ts'
import type { ProfileExecution } from '../../schemas/paid-verification/profiles/execution.ts'
import type { RunProfile } from '../../schemas/verification/verdict.ts'

interface ProfileDeps {
  database: Database
  /** Execution of a profile, by `name@version`; undefined where no runner has it. */
  executionOf: (profileRef: string) => ProfileExecution | undefined
}

const fault = (reason: string) => ({ verdict: 'inconclusive' as const, reason, checks: [], artefacts: [], evidence: {} })

/**
 * Runs the profile of a job, inside an activity: with the inputs of the poster from the record of the contract, which alone has the places of
 * private checks, and under that contract.
 */
export const createRunProfile =
  ({ database, executionOf }: ProfileDeps): RunProfile =>
  async ({ config, work, key }) => {
    const execution = executionOf(config.profileRef)
    const frozen = await findContract(database.rows, config.inputsHash)
    if (execution === undefined) return fault('no runner has the profile')
    if (frozen === null) return fault('the record of the contract is gone')
    const { repository, commit, ...inputs } = frozen.inputs
    const { contractDigest } = config.contract
    const request = { key, target: { repository, commit }, inputs: { ...inputs, ...work, contractDigest }, targetAuthorization: null }
    return execution({ ...request, inputs: request.inputs as never }, cancellationSignal(), heartbeat)
  }
