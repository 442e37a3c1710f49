import { contractRefused, type ProofGate } from '../../domain/postings/proof/gate.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { FreezeAnswer, FreezeContract, TestContract } from '../../schemas/paid-verification/profiles/freeze.ts'
import type { TestContractRecord } from '../../schemas/postings/record.ts'
import type { Clock } from '../common/clock.ts'
import type { Database, Rows } from '../database/database.ts'

export interface ContractDeps {
  database: Database
  clock: Clock
  freezeContract: FreezeContract
  /** Longest wait of a request, milliseconds. */
  waitMs: number
  /** Reports an error in the program while no request waits. */
  onFailure: (error: unknown) => void
}

const RETRY_SECONDS = 5

/** The record of inputs that a contract was asked for; null before the first request. */
export const findContract = async (rows: Rows, inputsHash: string): Promise<TestContractRecord | null> =>
  (await rows
    .selectFrom('test_contract')
    .selectAll()
    .where('inputsHash', '=', inputsHash as `0x${string}`)
    .executeTakeFirst()) ?? null

const unavailable = ({ reason, detail }: Extract<FreezeAnswer, { kind: 'unavailable' }>): ServiceError =>
  new ServiceError('verification_profile_unavailable', { reason, detail })

/** The contract of a record. Throws where it was refused. */
const contractOf = ({ contract, refusals }: TestContractRecord): TestContract | null => {
  if (refusals !== null) throw contractRefused(refusals)
  return contract
}

/** Freezes the contracts of drafts, once for equal inputs. */
export const createContracts = ({ database, clock, freezeContract, waitMs, onFailure }: ContractDeps) => {
  /** Keeps an answer. What was frozen or refused stays; without a result the next request begins anew. */
  const store = async ({ profileRef, inputs, inputsHash }: ProofGate, attempt: number, answer: FreezeAnswer): Promise<void> => {
    const row = {
      attempt: answer.kind === 'unavailable' ? attempt + 1 : attempt,
      contract: answer.kind === 'frozen' ? answer.contract : null,
      refusals: answer.kind === 'refused' ? [...answer.refusals] : null,
      decidedAt: answer.kind === 'unavailable' ? null : clock.now(),
    }
    await database.rows
      .insertInto('test_contract')
      .values({ inputsHash, profileRef, inputs, ...row })
      .onConflict((conflict) => conflict.column('inputsHash').doUpdateSet(row).where('test_contract.decidedAt', 'is', null))
      .execute()
  }

  /**
   * The contract of a gate. Throws 422 `verification_contract_refused` with every reason, 503 `verification_profile_unavailable` without a runner or
   * artefact, and 503 `verification_contract_freezing` where the runs on the base take longer than a request waits: a repeat joins them.
   */
  return async (gate: ProofGate): Promise<TestContract> => {
    const known = await findContract(database.rows, gate.inputsHash)
    const frozen = known === null ? null : contractOf(known)
    if (frozen !== null) return frozen
    const attempt = known?.attempt ?? 1
    const request = { key: `freeze/${gate.inputsHash}/${attempt}`, profileRef: gate.profileRef, inputs: gate.inputs }
    const work = freezeContract(request, new AbortController().signal, () => undefined).then(async (answer) => {
      await store(gate, attempt, answer)
      return answer
    })
    const isLate = Promise.withResolvers<null>()
    const timer = setTimeout(() => isLate.resolve(null), waitMs)
    const answer = await Promise.race([work, isLate.promise]).finally(() => clearTimeout(timer))
    if (answer === null) {
      work.catch(onFailure)
      throw new ServiceError('verification_contract_freezing', { retryAfterSeconds: RETRY_SECONDS })
    }
    if (answer.kind === 'unavailable') throw unavailable(answer)
    if (answer.kind === 'refused') throw contractRefused(answer.refusals)
    return answer.contract
  }
}
