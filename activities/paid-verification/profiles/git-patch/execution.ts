import { patchResult } from '../../../../domain/paid-verification/git-patch/result.ts'
import { inconclusive } from '../../../../domain/paid-verification/result.ts'
import type {
  ArtefactReference,
  ProfileArtefact,
  ProfileExecution,
  ProfileResult,
} from '../../../../schemas/paid-verification/profiles/execution.ts'
import type { Sandbox } from '../../../../schemas/sandbox/spec.ts'
import type { createArtefactFetch } from '../../profiles/artefacts.ts'
import { createPatchJudge, type JudgedPatch } from './judge.ts'

/** Target and inputs of the profile, as the schema of its requests lets them pass. */
interface GitPatchRequest {
  target: { repository: string; commit: string }
  inputs: {
    gitBundle: ArtefactReference
    patch: ArtefactReference
    testCommand: string[]
    workingDirectory?: string
    allowedPaths?: string[]
    protectedPaths?: string[]
    maximumChangedFiles?: number
  }
}

const MAX_INPUT_BYTES = 25 * 1024 ** 2
const FETCH_MS = 60_000
const HEARTBEAT_MS = 5_000
const MAX_CHANGED_FILES = 100

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
      const fetched = await fetchArtefact({ role, reference: inputs[role], maxBytes: MAX_INPUT_BYTES }, FETCH_MS, signal)
      signal.throwIfAborted()
      if (!fetched.ok)
        return inconclusive(fetched.reason, [{ id: `artefact-${role}`, passed: null, detail: fetched.detail }], { artefacts })
      artefacts.push(fetched.artefact)
      contents.push(fetched.content)
    }
    const [bundle = Buffer.alloc(0), patch = Buffer.alloc(0)] = contents
    const judged: JudgedPatch = await judge(
      {
        bundle,
        patch,
        declaration: {
          ...target,
          testCommand: inputs.testCommand,
          workingDirectory: inputs.workingDirectory?.replace(/\/+$/, '') ?? '.',
          allowedPaths: inputs.allowedPaths ?? null,
          protectedPaths: inputs.protectedPaths ?? [],
          maximumChangedFiles: inputs.maximumChangedFiles ?? MAX_CHANGED_FILES,
          // The command gets no network, whatever it asks for; nothing else of a contract is declared in a single run.
          needsNetwork: false,
          mockedSystems: [],
          targetedTests: null,
          regressionTests: null,
          privateChecks: [],
          paysOnPass: true,
          assuranceLevel: 2,
        },
      },
      signal,
    )
    return patchResult(judged, artefacts)
  }
  return async (request, signal, heartbeat) => {
    const timer = setInterval(heartbeat, HEARTBEAT_MS)
    try {
      return await execute(request as unknown as GitPatchRequest, signal)
    } finally {
      clearInterval(timer)
    }
  }
}
