import { sql } from 'kysely'
import type { Hex } from '../../domain/common/hashes.ts'
import { iso } from '../../domain/common/instants.ts'
import { contractRefused, type ProofGate } from '../../domain/postings/proof/gate.ts'
import { wait } from '../../schemas/common/error-row.ts'
import { isServiceError, ServiceError } from '../../schemas/errors.ts'
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
  /** A signal that ends work on a contract which begins now. */
  deadline: () => AbortSignal
  /** Reports an error in the program. */
  onFailure: (error: unknown) => void
}

const RETRY_SECONDS = 5
const DAY_MS = 86_400_000
/** Attempts at contracts that a wallet has in 24 hours, whatever became of them: each may run the tests of a stranger on a runner for minutes. */
export const FREEZES_OF_A_DAY = 20

/** The record of inputs that a contract was asked for; null before the first request. */
export const findContract = async (rows: Rows, inputsHash: string): Promise<TestContractRecord | null> =>
  (await rows
    .selectFrom('test_contract')
    .selectAll()
    .where('inputsHash', '=', inputsHash as `0x${string}`)
    .executeTakeFirst()) ?? null

const unavailable = ({ reason, detail }: Extract<FreezeAnswer, { kind: 'unavailable' }>): ServiceError =>
  new ServiceError('verification_profile_unavailable', { reason, detail })

/** The contract of a record; null for one that is not decided. Throws where it was refused. */
const contractOf = ({ contract, refusals }: TestContractRecord): TestContract | null => {
  if (refusals !== null) throw contractRefused(refusals)
  return contract
}

const limitReached = (freesAt: number, now: number): ServiceError => {
  const availableAt = iso(freesAt)
  return new ServiceError('rate_limited', {
    detail: `A wallet can have ${FREEZES_OF_A_DAY} test contracts frozen in 24 hours.`,
    retryAfterSeconds: Math.max(1, Math.ceil((freesAt - now) / 1_000)),
    details: { rule: 'freezes_of_a_wallet', limit: FREEZES_OF_A_DAY, freesAt: availableAt },
    nextActions: [{ ...wait('Wait until `freesAt`, then repeat.'), availableAt }],
  })
}

/** Freezes the contracts of drafts, once for equal inputs. */
export const createContracts = ({ database, clock, freezeContract, waitMs, deadline, onFailure }: ContractDeps) => {
  /** Work of this process by the hash of its inputs: repeated requests join it. */
  const works = new Map<string, Promise<FreezeAnswer>>()

  /** Records that a wallet asks for an attempt, and returns its number. Throws 429 `rate_limited` for more attempts than a wallet has in a day. */
  const admit = ({ profileRef, inputs, inputsHash }: ProofGate, poster: string): Promise<number> =>
    database.transaction(async (rows) => {
      await sql`select pg_advisory_xact_lock(hashtext(${`posting:freezes/${poster}`}))`.execute(rows)
      const now = clock.now()
      const known = await findContract(rows, inputsHash)
      // Another process has begun this attempt, or its answer: the engine gives both the same work.
      if (known !== null && known.chargedAttempt >= known.attempt) return known.attempt
      const { attempts, oldestAt } = await rows
        .selectFrom('test_contract')
        .select([
          sql<number>`coalesce(sum(charged_attempt), 0)::integer`.as('attempts'),
          sql<number>`(extract(epoch from min(requested_at)) * 1000)::double precision`.as('oldestAt'),
        ])
        .where('poster', '=', poster)
        .where('requestedAt', '>', now - DAY_MS)
        .executeTakeFirstOrThrow()
      if (attempts >= FREEZES_OF_A_DAY) throw limitReached(oldestAt + DAY_MS, now)
      const attempt = known?.attempt ?? 1
      const row = { poster, requestedAt: now, chargedAttempt: attempt }
      await rows
        .insertInto('test_contract')
        .values({ inputsHash, profileRef, inputs, attempt, ...row, contract: null, refusals: null, decidedAt: null })
        .onConflict((conflict) => conflict.column('inputsHash').doUpdateSet(row))
        .execute()
      return attempt
    })

  /** Keeps an answer. What was frozen or refused stays; without a result the next request begins anew. */
  const store = async (inputsHash: Hex, attempt: number, answer: FreezeAnswer): Promise<void> => {
    await database.rows
      .updateTable('test_contract')
      .set({
        attempt: answer.kind === 'unavailable' ? attempt + 1 : attempt,
        contract: answer.kind === 'frozen' ? answer.contract : null,
        refusals: answer.kind === 'refused' ? [...answer.refusals] : null,
        decidedAt: answer.kind === 'unavailable' ? null : clock.now(),
      })
      .where('inputsHash', '=', inputsHash)
      .where('decidedAt', 'is', null)
      .execute()
  }

  const work = async (gate: ProofGate, poster: string): Promise<FreezeAnswer> => {
    const { inputsHash, profileRef, inputs } = gate
    const attempt = await admit(gate, poster)
    const signal = deadline()
    const request = { key: `freeze/${inputsHash}/${attempt}`, profileRef, inputs }
    const answer = await freezeContract(request, signal, () => undefined).catch((error: unknown): FreezeAnswer => {
      if (!signal.aborted) throw error
      return { kind: 'unavailable', reason: 'runner_fault', detail: 'No runner answered in time.' }
    })
    await store(inputsHash, attempt, answer)
    return answer
  }

  /** Joins the work of this process on equal inputs, or begins it. */
  const join = (gate: ProofGate, poster: string): Promise<FreezeAnswer> => {
    const { inputsHash } = gate
    const known = works.get(inputsHash)
    if (known !== undefined) return known
    const begun = work(gate, poster).finally(() => works.delete(inputsHash))
    begun.catch((error: unknown) => {
      if (!isServiceError(error)) onFailure(error)
    })
    works.set(inputsHash, begun)
    return begun
  }

  return {
    /** The contract of a gate; null where it is not decided. Throws 422 `verification_contract_refused` with every reason. */
    find: async ({ inputsHash }: ProofGate): Promise<TestContract | null> => {
      const known = await findContract(database.rows, inputsHash)
      return known === null ? null : contractOf(known)
    },

    /**
     * Has a contract frozen for a wallet (lower case). Throws 422 `verification_contract_refused` with every reason, 429 `rate_limited` beyond the
     * attempts of a day, 503 `verification_profile_unavailable` without a runner or artefact, and 503 `verification_contract_freezing` where the
     * runs on the base take longer than a request waits: a repeat joins them.
     */
    freeze: async (gate: ProofGate, poster: string): Promise<TestContract> => {
      const isLate = Promise.withResolvers<null>()
      const timer = setTimeout(() => isLate.resolve(null), waitMs)
      const answer = await Promise.race([join(gate, poster), isLate.promise]).finally(() => clearTimeout(timer))
      if (answer === null) throw new ServiceError('verification_contract_freezing', { retryAfterSeconds: RETRY_SECONDS })
      if (answer.kind === 'unavailable') throw unavailable(answer)
      if (answer.kind === 'refused') throw contractRefused(answer.refusals)
      return answer.contract
    },
  }
}

/** Deletes contracts that were asked for before `before` (epoch ms) and that no draft and no job names. */
export const deleteUnusedContracts = async (rows: Rows, before: number): Promise<void> => {
  const named = (table: 'posting' | 'job') =>
    sql<boolean>`exists (select from ${sql.table(table)} as named where named.definition #>> '{verifierConfig,inputsHash}' = test_contract.inputs_hash)`
  await rows
    .deleteFrom('test_contract')
    .where('requestedAt', '<', before)
    .where(({ not }) => not(named('posting')))
    .where(({ not }) => not(named('job')))
    .execute()
}
