import { createHash } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { createGitPatchExecution } from '../../../../../activities/paid-verification/profiles/git-patch/execution.ts'
import { createSandbox } from '../../../../../activities/sandbox/probe.ts'
import { requestFor } from '../../../../support/sandbox/repository.ts'
import { machineProbe, machineSandbox, reportSkipped } from '../../../../support/sandbox/runner.ts'

const { bundle, patch, declaration } = requestFor({ 'src/sum.js': 'export const sum = (a, b) => a + b\n' })
const reference = (bytes: Uint8Array, format: string) => ({
  sha256: createHash('sha256').update(bytes).digest('hex'),
  bytes: bytes.length,
  locator: { kind: 'https' as const, url: `https://files.example.com/${format}` },
  format,
})
const request = {
  target: { repository: declaration.repository, commit: declaration.commit },
  inputs: {
    gitBundle: reference(bundle, 'git-bundle'),
    patch: reference(patch, 'git-patch'),
    testCommand: ['node', '--test', 'test/sum.test.js'],
  },
  key: 'a-run',
  targetAuthorization: null,
}
type Fetch = Parameters<typeof createGitPatchExecution>[0]['fetchArtefact']
const fetchArtefact: Fetch = async ({ role, reference: { sha256, bytes } }) => ({
  ok: true,
  artefact: { role, sha256, bytes },
  content: Buffer.from(role === 'patch' ? patch : bundle),
})

reportSkipped(1)
const testInSandbox = machineProbe.ok ? test : test.skip

describe('the profile of patches', () => {
  testInSandbox('approves an honest patch, with its evidence', async () => {
    const result = await createGitPatchExecution({ sandbox: machineSandbox, fetchArtefact })(
      request,
      new AbortController().signal,
      () => undefined,
    )
    expect(result).toMatchObject({
      verdict: 'approved',
      reason: null,
      evidence: { outcome: 'PASS', exitCode: 0, changedPaths: ['src/sum.js'] },
    })
    expect(result.checks.filter(({ passed }) => passed !== true)).toEqual([])
    expect(result.artefacts.map(({ role }) => role)).toEqual(['gitBundle', 'patch'])
    expect(result.evidence.contractDigest).toMatch(/^[0-9a-f]{64}$/)
  })

  test('has no verdict without a sandbox, and says why', async () => {
    const result = await createGitPatchExecution({ sandbox: createSandbox({ bwrap: null }), fetchArtefact })(
      request,
      new AbortController().signal,
      () => undefined,
    )
    expect(result).toMatchObject({
      verdict: 'inconclusive',
      reason: 'runner_fault',
      checks: [{ id: 'sandbox', detail: expect.stringContaining('bubblewrap') }],
    })
  })

  test('has no verdict without the artefacts', async () => {
    const gone: Fetch = async ({ role }) => ({ ok: false, reason: 'artefact_unavailable', detail: `${role}: gone` })
    const ready = {
      probe: async () => ({ ok: true, kind: 'bwrap', version: '', imageDigest: '', kernel: '', bounds: 'process' }) as const,
      run: machineSandbox.run,
    }
    const result = await createGitPatchExecution({ sandbox: ready, fetchArtefact: gone })(
      request,
      new AbortController().signal,
      () => undefined,
    )
    expect(result).toMatchObject({ verdict: 'inconclusive', reason: 'artefact_unavailable' })
  })
})
