// Test contracts on a real database; the runner is a function.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createContracts, deleteUnusedContracts, FREEZES_OF_A_DAY, findContract } from '../../../activities/postings/contracts.ts'
import { createRunProfile } from '../../../activities/postings/profile-runs.ts'
import { sha256Of } from '../../../domain/common/hashes.ts'
import type { ProofGate } from '../../../domain/postings/proof/gate.ts'
import { isServiceError } from '../../../schemas/errors.ts'
import type { FreezeAnswer, FreezeContract } from '../../../schemas/paid-verification/profiles/freeze.ts'
import { builtJob } from '../../domain/builders/job.ts'
import { frozenContract, profileConfig, profilePosting } from '../../domain/postings/builders/proof-gate.ts'
import { quotedPosting } from '../../support/records/posting-rows.ts'
import { type Records, startRecords, walletAt } from '../support/service.ts'

const DAY = 24 * 3_600_000
const FROZEN: FreezeAnswer = { kind: 'frozen', contract: frozenContract() }
const UNAVAILABLE: FreezeAnswer = { kind: 'unavailable', reason: 'artefact_unavailable', detail: 'No file.' }
const REFUSED: FreezeAnswer = { kind: 'refused', refusals: ['sentinel_missing'] }

let records: Records
let now = 0
beforeAll(async () => {
  records = await startRecords()
})
afterAll(() => records.stop())
beforeEach(async () => {
  now = Date.parse('2026-03-01T00:00:00Z')
  await records.rows.deleteFrom('test_contract').execute()
})

let made = 0
const freshGate = (): ProofGate => {
  made += 1
  const { profileRef, inputs } = profilePosting({ commit: made.toString(16).padStart(40, '0') }).verifierConfig
  return { profileRef, profileDigest: `0x${'a'.repeat(64)}`, inputs, inputsHash: sha256Of({ profileRef, inputs }) }
}
const poster = walletAt(1)

/** Contracts of one process, with the keys that its runner was asked for. */
const processWith = (freezeContract: FreezeContract, { waitMs = 60_000, deadline = new AbortController().signal } = {}) => {
  const keys: string[] = []
  const failures: unknown[] = []
  const contracts = createContracts({
    ...{ database: records.database, clock: { now: () => now }, waitMs, deadline: () => deadline },
    freezeContract: (request, signal, heartbeat) => {
      keys.push(request.key)
      return freezeContract(request, signal, heartbeat)
    },
    onFailure: (error) => failures.push(error),
  })
  return { ...contracts, keys, failures }
}
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'frozen',
    (error: unknown) => (isServiceError(error) ? error.code : String(error)),
  )

describe('a test contract', () => {
  test('is asked for once by a process, however often its request is repeated', async () => {
    const done = Promise.withResolvers<FreezeAnswer>()
    const asked = Promise.withResolvers<void>()
    const working: FreezeContract = () => {
      asked.resolve()
      return done.promise
    }
    const { freeze, find, keys } = processWith(working, { waitMs: 0 })
    const gate = freshGate()
    for (const _ of [1, 2, 3]) expect(await codeOf(freeze(gate, poster))).toBe('verification_contract_freezing')
    await asked.promise
    const patient = processWith(() => done.promise)
    const joined = patient.freeze(gate, poster)
    done.resolve(FROZEN)
    expect(await joined).toEqual(frozenContract())
    expect(await find(gate)).toEqual(frozenContract())
    // The other process asks for the same attempt, which is counted once.
    expect([keys, patient.keys]).toEqual([[`freeze/${gate.inputsHash}/1`], [`freeze/${gate.inputsHash}/1`]])
    expect(await findContract(records.rows, gate.inputsHash)).toMatchObject({ attempt: 1, chargedAttempt: 1, poster })
  })

  test('is given up at its deadline, and asked for anew by a repeat', async () => {
    const end = new AbortController()
    const untilEnd: FreezeContract = (_request, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        end.abort(new Error('too long'))
      })
    const gate = freshGate()
    const { freeze, keys, failures } = processWith(untilEnd, { deadline: end.signal })
    expect(await codeOf(freeze(gate, poster))).toBe('verification_profile_unavailable')
    const next = processWith(async () => FROZEN)
    expect(await codeOf(next.freeze(gate, poster))).toBe('frozen')
    expect([...keys, ...next.keys]).toEqual([1, 2].map((attempt) => `freeze/${gate.inputsHash}/${attempt}`))
    expect(failures).toEqual([])
  })

  test.each<[string, FreezeAnswer, string, boolean]>([
    ['frozen', FROZEN, 'frozen', false],
    ['refused', REFUSED, 'verification_contract_refused', false],
    ['not to be had', UNAVAILABLE, 'verification_profile_unavailable', true],
  ])('that is %s counts against its wallet for a day', async (_what, answer, code, repeats) => {
    const { freeze, keys } = processWith(async () => answer)
    const repeated = freshGate()
    const next = () => (repeats ? repeated : freshGate())
    for (let asked = 0; asked < FREEZES_OF_A_DAY; asked += 1) expect(await codeOf(freeze(next(), poster))).toBe(code)
    expect(await codeOf(freeze(next(), poster))).toBe('rate_limited')
    expect(keys).toHaveLength(FREEZES_OF_A_DAY)
    expect(await codeOf(freeze(freshGate(), walletAt(2)))).toBe(code)
    now += DAY + 1
    expect(await codeOf(freeze(next(), poster))).toBe(code)
  })

  test('is counted exactly when a wallet asks for many at once', async () => {
    const crowd = [processWith(async () => FROZEN), processWith(async () => FROZEN)]
    const codes = await Promise.all(
      Array.from({ length: FREEZES_OF_A_DAY + 8 }, (_, index) => codeOf(crowd[index % 2]?.freeze(freshGate(), poster) as Promise<unknown>)),
    )
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(8)
  })

  test('is deleted once it is old and no draft names it', async () => {
    const { freeze } = processWith(async () => FROZEN)
    const [named, unnamed] = [freshGate(), freshGate()]
    for (const gate of [named, unnamed]) await freeze(gate, poster)
    const fresh = freshGate()
    now += DAY
    await freeze(fresh, poster)
    const row = quotedPosting(builtJob(), poster, now)
    const verifierConfig = { ...profileConfig(), inputsHash: named.inputsHash }
    await records.rows
      .insertInto('posting')
      .values({ ...row, definition: { ...row.definition, verifierConfig } as never })
      .execute()
    await deleteUnusedContracts(records.rows, now)
    const kept = await Promise.all([named, unnamed, fresh].map(({ inputsHash }) => findContract(records.rows, inputsHash)))
    expect(kept.map((found) => found !== null)).toEqual([true, false, true])
  })
})

test.each([
  ['no runner has its profile', undefined, 'No runner has the profile.'],
  ['the record of its contract is gone', async () => Promise.reject(new Error('not run')), 'The record of the contract is gone.'],
])('a run of a job says so where %s', async (_why, execution, detail) => {
  const run = createRunProfile({
    ...{ database: records.database, executionOf: () => execution },
    ...{ signal: () => new AbortController().signal, heartbeat: () => undefined },
  })
  expect(await run({ config: profileConfig(), work: {}, key: 'run' })).toMatchObject({
    ...{ verdict: 'inconclusive', reason: 'runner_fault', checks: [{ id: 'runner', passed: null, detail }] },
  })
})
