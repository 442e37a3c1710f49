import { runnerFault } from '../../domain/paid-verification/result.ts'
import type { ProfileExecution } from '../../schemas/paid-verification/profiles/execution.ts'
import type { RunProfile } from '../../schemas/verification/verdict.ts'
import type { Database } from '../database/database.ts'
import { findContract } from './contracts.ts'

interface ProfileDeps {
  database: Database
  /** Execution of a profile, by `name@version`; undefined where no runner has it. */
  executionOf: (profileRef: string) => ProfileExecution | undefined
  /** Ends the step that runs now. */
  signal: () => AbortSignal
  heartbeat: () => void
}

/**
 * Runs the profile of a job, inside an activity: with the inputs of the poster from the record of the contract, which alone has the places of
 * private checks, and under that contract.
 */
export const createRunProfile =
  ({ database, executionOf, signal, heartbeat }: ProfileDeps): RunProfile =>
  async ({ config, work, key }) => {
    const execution = executionOf(config.profileRef)
    const frozen = await findContract(database.rows, config.inputsHash)
    if (execution === undefined) return runnerFault('No runner has the profile.')
    if (frozen === null) return runnerFault('The record of the contract is gone.')
    const { repository, commit, ...inputs } = frozen.inputs
    const { contractDigest } = config.contract
    const request = { key, target: { repository, commit }, inputs: { ...inputs, ...work, contractDigest }, targetAuthorization: null }
    return execution({ ...request, inputs: request.inputs as never }, signal(), heartbeat)
  }
