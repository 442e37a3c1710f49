import type { TestDeclaration } from '../../../../domain/paid-verification/git-patch/contract.ts'
import type { ArtefactReference } from '../../../../schemas/paid-verification/profiles/execution.ts'
import type { FreezeInputs } from '../../../../schemas/paid-verification/profiles/freeze.ts'
import type { ArtefactFault, ArtefactRequest, createArtefactFetch, FetchedArtefact } from '../artefacts.ts'
import type { PrivateFile } from './runs.ts'

const MAX_INPUT_BYTES = 25 * 1024 ** 2
const FETCH_MS = 60_000
const MAX_CHANGED_FILES = 100

/** What a contract is frozen from, as the schemas of its requests let it pass. */
export type DeclaredInputs = Omit<FreezeInputs, 'gitBundle'> & { gitBundle: ArtefactReference }

/** What is declared about tests. A single run declares nothing: its contract holds what the base shows. */
export const declareTests = (inputs: Omit<DeclaredInputs, 'gitBundle'>): Omit<TestDeclaration, 'bundleSha256'> => ({
  repository: inputs.repository,
  commit: inputs.commit,
  testCommand: inputs.testCommand,
  workingDirectory: inputs.workingDirectory?.replace(/\/+$/, '') ?? '.',
  allowedPaths: inputs.allowedPaths ?? null,
  protectedPaths: inputs.protectedPaths ?? [],
  maximumChangedFiles: inputs.maximumChangedFiles ?? MAX_CHANGED_FILES,
  needsNetwork: inputs.needsNetwork ?? false,
  mockedSystems: inputs.mockedSystems ?? [],
  targetedTests: inputs.targetedTests ?? null,
  regressionTests: inputs.regressionTests ?? null,
  privateChecks: (inputs.privateChecks ?? []).map(({ id, sha256, path, required }) => ({ id, sha256, path, required })),
  paysOnPass: true,
  assuranceLevel: inputs.assuranceLevel ?? 2,
})

type Fetch = ReturnType<typeof createArtefactFetch>

/** Fetches one artefact of the profile. Throws when `signal` ends it. */
export const fetchInput = async (
  fetchArtefact: Fetch,
  request: Omit<ArtefactRequest, 'maxBytes'>,
  signal: AbortSignal,
): Promise<FetchedArtefact | ArtefactFault> => {
  const fetched = await fetchArtefact({ ...request, maxBytes: MAX_INPUT_BYTES }, FETCH_MS, signal)
  signal.throwIfAborted()
  return fetched
}

/** Fetches the files of the private checks that have a hash, or gives the fault of the first that cannot be fetched. */
export const fetchPrivateFiles = async (
  fetchArtefact: Fetch,
  checks: FreezeInputs['privateChecks'] = [],
  signal: AbortSignal,
): Promise<PrivateFile[] | ArtefactFault> => {
  const files: PrivateFile[] = []
  for (const [index, { sha256, bytes, locator, path }] of checks.entries()) {
    if (sha256 === null) continue
    const reference = { sha256, bytes, locator, format: 'text' }
    const fetched = await fetchInput(fetchArtefact, { role: `privateChecks/${index}`, reference }, signal)
    if (!fetched.ok) return fetched
    files.push({ path, bytes: fetched.content })
  }
  return files
}
