import { createHash } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { createContractFreeze, createGitPatchExecution } from '../../../../../activities/paid-verification/profiles/git-patch/execution.ts'
import { createSandbox } from '../../../../../activities/sandbox/probe.ts'
import { FreezeInputs } from '../../../../../schemas/paid-verification/profiles/freeze.ts'
import { requestFor } from '../../../../support/sandbox/repository.ts'
import { machineProbe, machineSandbox, reportSkipped } from '../../../../support/sandbox/runner.ts'

const HONEST = 'export const sum = (a, b) => a + b\n'
/** Right for the public tests, wrong for others. */
const NARROW = 'export const sum = (a, b) => (b === 0 ? a : [5, -5].find((one) => one === a + b) ?? 0)\n'
const { bundle, patch, declaration } = requestFor({ 'src/sum.js': HONEST })
const narrow = requestFor({ 'src/sum.js': NARROW })
const SECRET_FILE = [
  "import assert from 'node:assert/strict'",
  "import test from 'node:test'",
  "import { sum } from '../../src/sum.js'",
  "test('SECRET-NAME', () => assert.equal(sum(40, 2), 42, 'SECRET-WORD'))",
  '',
].join('\n')

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')
const stored = new Map<string, Buffer>()
const put = <const Format extends string>(content: Uint8Array | string, format: Format) => {
  const url = `https://files.example.com/${sha256(content)}`
  stored.set(url, Buffer.from(content))
  return { sha256: sha256(content), bytes: Buffer.byteLength(content), locator: { kind: 'https' as const, url }, format }
}
type Fetch = Parameters<typeof createContractFreeze>[0]['fetchArtefact']
const fetchArtefact: Fetch = async ({ role, reference: { sha256: hash, bytes, locator } }) => {
  const content = stored.get(locator.url)
  if (content === undefined) return { ok: false, reason: 'artefact_unavailable', detail: `${role}: gone` }
  return { ok: true, artefact: { role, sha256: hash, bytes }, content }
}

const privateCheck = (content: string, path = 'test/hidden/secret.test.js') => {
  const { format: _format, ...file } = put(content, 'text')
  return { id: 'hidden', ...file, path, required: true }
}
const inputs: FreezeInputs = FreezeInputs.parse({
  repository: declaration.repository,
  commit: declaration.commit,
  gitBundle: put(bundle, 'git-bundle'),
  testCommand: ['node', '--test', 'test/sum.test.js'],
  privateChecks: [privateCheck(SECRET_FILE)],
})
const { repository, commit, ...rest } = inputs
const none = new AbortController().signal
const deps = { sandbox: machineSandbox, fetchArtefact }
const freeze = (part: Partial<FreezeInputs> = {}, sandbox = machineSandbox) =>
  createContractFreeze({ ...deps, sandbox })({ key: 'a', profileRef: 'git-patch-tests-v1@1', inputs: { ...inputs, ...part } }, none, () => {
    // No process waits for this test.
  })
const judge = (work: { patch: Uint8Array; commit: string; bundle: Uint8Array }, extra: object = {}) => {
  const artefacts = { gitBundle: put(work.bundle, 'git-bundle'), patch: put(work.patch, 'git-patch') }
  const request = { target: { repository, commit: work.commit }, inputs: { ...rest, ...artefacts, ...extra }, targetAuthorization: null }
  return createGitPatchExecution(deps)(request as never, none, () => undefined)
}

const inSandbox = machineProbe.ok ? describe : describe.skip
const FREEZES = [
  ['nothing fails on the base', { bundle: requestFor({}, {}, { ...filesWith(HONEST) }) }, ['no_differential_check']],
  ['a private check cannot be written', { path: 'src/sum.js/secret.test.js' }, ['private_check_cannot_be_run']],
  ['the command is a shell', { testCommand: ['sh', '-c', 'true'] }, ['command_not_supported']],
] as const
function filesWith(sum: string): Record<string, string> {
  return {
    'package.json': '{"name":"sum","type":"module"}\n',
    'src/sum.js': sum,
    'test/sum.test.js': SECRET_FILE.replace('../../', '../'),
  }
}
reportSkipped(FREEZES.length + 4)

inSandbox('a test contract that is frozen in the sandbox', () => {
  test('is the same each time, and names private checks by hash alone', async () => {
    const [first, second] = [await freeze(), await freeze()]
    expect(first).toEqual(second)
    expect(first).toMatchObject({
      kind: 'frozen',
      contract: { terms: { privateChecks: [{ id: 'hidden', sha256: sha256(SECRET_FILE), path: 'test/hidden/secret.test.js' }] } },
    })
    expect(JSON.stringify(first)).not.toMatch(/SECRET|files\.example\.com/)
  })

  test.each(FREEZES)('is refused where %s', async (_name, given, refusals) => {
    const part: Partial<FreezeInputs> =
      'bundle' in given
        ? { gitBundle: put(given.bundle.bundle, 'git-bundle'), commit: given.bundle.declaration.commit, privateChecks: [] }
        : 'path' in given
          ? { privateChecks: [privateCheck(SECRET_FILE, given.path)] }
          : { testCommand: [...given.testCommand] }
    expect(await freeze(part)).toEqual({ kind: 'refused', refusals })
  })

  test('is judged by: the honest patch passes, one that fits the public tests alone has no result, by a count', async () => {
    const frozen = await freeze()
    const contractDigest = frozen.kind === 'frozen' ? frozen.contract.contractDigest : ''
    const passed = await judge({ bundle, patch, commit }, { contractDigest })
    expect(passed).toMatchObject({ verdict: 'approved', evidence: { contractDigest, privateChecks: { total: 1, failed: 0 } } })
    const narrowInputs = { bundle: narrow.bundle, patch: narrow.patch, commit: narrow.declaration.commit }
    const failed = await judge(narrowInputs)
    expect(failed).toMatchObject({
      verdict: 'inconclusive',
      evidence: { exitCode: 3, cause: 'contract', privateChecks: { total: 1, failed: 1 } },
    })
    expect(JSON.stringify([passed, failed])).not.toMatch(/SECRET|secret\.test|files\.example\.com/)
  })

  test('has no verdict where it differs from the contract of before the work', async () => {
    const other = await judge({ bundle, patch, commit }, { contractDigest: 'f'.repeat(64) })
    expect(other).toMatchObject({ verdict: 'inconclusive', reason: 'ambiguous_evidence', evidence: { cause: 'contract' } })
  })

  test('is unavailable where a private check is gone, which its answer does not name by its address', async () => {
    const gone = { ...privateCheck(SECRET_FILE), locator: { kind: 'https' as const, url: 'https://files.example.com/gone?token=secret' } }
    const answer = await freeze({ privateChecks: [gone] })
    expect(answer).toEqual({ kind: 'unavailable', reason: 'artefact_unavailable', detail: 'privateChecks/0: gone' })
  })
})

describe('a test contract', () => {
  test('is not frozen without a sandbox', async () => {
    expect(await freeze({}, createSandbox({ bwrap: null }))).toMatchObject({ kind: 'unavailable', reason: 'runner_fault' })
  })

  test.each<[string, object]>([
    ['a path with white space', { path: 'test/a b.test.js' }],
    ['a path that climbs', { path: 'test/../a.test.js' }],
    ['an address of another scheme', { locator: { kind: 'https', url: 'http://files.example.com/a' } }],
  ])('does not take a private check with %s', (_name, part) => {
    expect(FreezeInputs.safeParse({ ...inputs, privateChecks: [{ ...privateCheck(SECRET_FILE), ...part }] }).success).toBe(false)
  })
})
