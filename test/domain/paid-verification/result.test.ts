import { describe, expect, test } from '@jest/globals'
import { cutText, inconclusive, type ResultParts, resultOfChecks } from '../../../domain/paid-verification/result.ts'
import type {
  ArtefactReference,
  ProfileArtefact,
  ProfileCheck,
  ProfileExecution,
  ProfileRequest,
  ProfileResult,
  Verdict,
} from '../../../schemas/paid-verification/profiles/execution.ts'

const check = (passed: boolean | null): ProfileCheck => ({ id: 'one', passed, detail: 'as seen' })
const artefactOf = ({ sha256, bytes }: ArtefactReference): ProfileArtefact => ({ role: 'output', sha256, bytes })
const reference: ArtefactReference = {
  sha256: 'a'.repeat(64),
  bytes: 2,
  locator: { kind: 'https', url: 'https://files.example/o.json' },
  format: 'json',
}
const parts: ResultParts = { artefacts: [artefactOf(reference)], evidence: { exitCode: 0 } }

describe('the result of checks', () => {
  test.each<[string, (boolean | null)[], Verdict]>([
    ['all passed', [true, true], 'approved'],
    ['one failed', [true, false], 'rejected'],
    ['one failed and one undecided', [null, false], 'rejected'],
    ['one undecided', [true, null], 'inconclusive'],
    ['none', [], 'inconclusive'],
  ])('%s', (_name, passed, verdict) => {
    const reason = verdict === 'inconclusive' ? 'flaky' : null
    expect(resultOfChecks(passed.map(check), 'flaky', parts)).toMatchObject({ verdict, reason, ...parts })
  })

  test('bounds the detail of a check', () => {
    const [one] = inconclusive('runner_fault', [{ ...check(null), detail: 'x'.repeat(600) }]).checks
    expect(one?.detail).toBe(`${'x'.repeat(499)}…`)
  })

  test('replaces evidence that is too long by its length', () => {
    const { evidence } = inconclusive('runner_fault', [], { evidence: { output: 'ü'.repeat(8_190) } })
    expect(evidence).toEqual({ truncated: true, bytes: 16_393 })
    expect(inconclusive('runner_fault', [], { evidence: { output: 'ü'.repeat(8_185) } }).evidence).toHaveProperty('output')
  })

  test('a profile is a function of request, signal and heartbeat', async () => {
    const execute: ProfileExecution = async (request, signal, heartbeat): Promise<ProfileResult> => {
      signal.throwIfAborted()
      heartbeat()
      return resultOfChecks([check(request.targetAuthorization === null)], 'flaky')
    }
    const request: ProfileRequest = { target: {}, inputs: {}, key: 'a-run', targetAuthorization: null }
    expect(await execute(request, new AbortController().signal, () => undefined)).toMatchObject({ verdict: 'approved' })
  })
})

test('a cut text ends with a whole character', () => {
  expect(cutText('abc', 3)).toBe('abc')
  expect(cutText('ab😀d', 4)).toBe('ab…')
  expect(cutText('a\ud800b', 5)).toBe('a\ufffdb')
})
