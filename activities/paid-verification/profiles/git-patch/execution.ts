import { patchResult } from '../../../../domain/paid-verification/git-patch/result.ts'
import { inconclusive } from '../../../../domain/paid-verification/result.ts'
import type {
  ArtefactReference,
  ProfileArtefact,
  ProfileExecution,
  ProfileResult,
} from '../../../../schemas/paid-verification/profiles/execution.ts'
import type { FreezeAnswer, FreezeContract } from '../../../../schemas/paid-verification/profiles/freeze.ts'
import type { Sandbox } from '../../../../schemas/sandbox/spec.ts'
import type { createArtefactFetch } from '../artefacts.ts'
import { withHeartbeat } from '../heartbeat.ts'
import { type DeclaredInputs, declareTests, fetchInput, fetchPrivateFiles } from './declaration.ts'
import { createContractFreezer } from './freeze.ts'
import { createPatchJudge } from './judge.ts'

/** Target and inputs of the profile, as the schema of its requests lets them pass. An escrow adds what its contract was frozen from. */
interface GitPatchRequest {
  target: { repository: string; commit: string }
  inputs: Omit<DeclaredInputs, 'repository' | 'commit'> & { patch: ArtefactReference; contractDigest?: string }
}

export interface GitPatchDeps {
  readonly sandbox: Sandbox
  readonly fetchArtefact: ReturnType<typeof createArtefactFetch>
  readonly judge?: ReturnType<typeof createPatchJudge>
}

/** Executes `git-patch-tests-v1`: fetches bundle and patch, and judges them in the sandbox. Without a sandbox there is no verdict. */
export const createGitPatchExecution = ({ sandbox, fetchArtefact, judge = createPatchJudge(sandbox) }: GitPatchDeps): ProfileExecution => {
  const execute = async ({ target, inputs }: GitPatchRequest, signal: AbortSignal): Promise<ProfileResult> => {
    const probe = await sandbox.probe()
    if (!probe.ok) return inconclusive('runner_fault', [{ id: 'sandbox', passed: null, detail: probe.reason }])
    const artefacts: ProfileArtefact[] = []
    const contents: Buffer[] = []
    for (const role of ['gitBundle', 'patch'] as const) {
      const fetched = await fetchInput(fetchArtefact, { role, reference: inputs[role] }, signal)
      if (!fetched.ok)
        return inconclusive(fetched.reason, [{ id: `artefact-${role}`, passed: null, detail: fetched.detail }], { artefacts })
      artefacts.push(fetched.artefact)
      contents.push(fetched.content)
    }
    const privateFiles = await fetchPrivateFiles(fetchArtefact, inputs.privateChecks, signal)
    if (!Array.isArray(privateFiles))
      return inconclusive(privateFiles.reason, [{ id: 'private-checks', passed: null, detail: privateFiles.detail }], { artefacts })
    const [bundle = Buffer.alloc(0), patch = Buffer.alloc(0)] = contents
    const declaration = declareTests({ ...inputs, ...target })
    const contractDigest = inputs.contractDigest ?? null
    return patchResult(await judge({ bundle, patch, privateFiles, declaration, contractDigest }, signal), artefacts)
  }
  return (request, signal, heartbeat) => withHeartbeat(heartbeat, () => execute(request as unknown as GitPatchRequest, signal))
}

/** Freezes test contracts of `git-patch-tests-v1` in the sandbox. */
export const createContractFreeze = ({ sandbox, fetchArtefact }: Omit<GitPatchDeps, 'judge'>): FreezeContract => {
  const freeze = createContractFreezer(sandbox)
  const answer = async (inputs: DeclaredInputs, signal: AbortSignal): Promise<FreezeAnswer> => {
    const probe = await sandbox.probe()
    if (!probe.ok) return { kind: 'unavailable', reason: 'runner_fault', detail: probe.reason }
    const bundle = await fetchInput(fetchArtefact, { role: 'gitBundle', reference: inputs.gitBundle }, signal)
    if (!bundle.ok) return { kind: 'unavailable', reason: bundle.reason, detail: bundle.detail }
    const privateFiles = await fetchPrivateFiles(fetchArtefact, inputs.privateChecks, signal)
    if (!Array.isArray(privateFiles)) return { kind: 'unavailable', reason: privateFiles.reason, detail: privateFiles.detail }
    const frozen = await freeze({ bundle: bundle.content, privateFiles, declaration: declareTests(inputs) }, signal)
    signal.throwIfAborted()
    if (frozen === 'setup_failed') return { kind: 'unavailable', reason: 'runner_fault', detail: 'The sandbox could not be set up.' }
    return 'terms' in frozen ? { kind: 'frozen', contract: frozen } : { kind: 'refused', refusals: frozen }
  }
  return ({ inputs }, signal, heartbeat) => withHeartbeat(heartbeat, () => answer(inputs, signal))
}
